package dev.refrain.replay;

import static dev.refrain.testing.Until.advancing;
import static dev.refrain.testing.World.SCOPE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.refrain.AttentionException;
import dev.refrain.store.StoreException;
import dev.refrain.store.TakeOver;
import dev.refrain.testing.Background;
import dev.refrain.testing.Gate;
import dev.refrain.testing.ManualEnvironment;
import dev.refrain.testing.ScriptedStore;
import dev.refrain.testing.ScriptedStore.Verb;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Who runs next when the one that ran gives up. */
class WaitersTurnTest extends WithWaiters {

    @Test
    void after_a_release_one_of_those_who_wait_runs_and_the_others_keep_waiting() {
        var gate = new Gate();
        var first = Background.run(() -> pay().run(SCOPE, "key-1", "x", claim -> {
            gate.pass();
            throw new IllegalStateException("the first one failed");
        }));
        gate.awaitArrival();
        var second = new Gate();
        var waiting = Background.run(
                10,
                () -> pay().run(SCOPE, "key-1", "x", claim -> {
                    second.pass();
                    return charge();
                }));
        waiting.forEach(Background::parked);

        gate.open();
        first.failure();
        second.awaitArrival();
        waiting.forEach(Background::parked);
        second.open();
        advancing(world, Duration.ofMillis(20), () -> waiting.stream().allMatch(Background::isDone));

        assertThat(waiting.stream().map(Background::get)).containsOnly("paid 1");
        assertThat(effects).hasValue(1);
    }

    @Test
    void a_claim_given_back_because_it_came_too_late_wakes_one_of_those_who_wait() {
        var hasty = refrain.operation("pay", String.class)
                .storeTimeout(Duration.ofMillis(650))
                .leased(TakeOver.RESUME);
        var claimGate = new Gate();
        world.store.next(Verb.CLAIM, ScriptedStore.replyHeld(claimGate));
        var first = Background.run(() -> hasty.run(SCOPE, "key-1", "x", claim -> charge()));
        claimGate.awaitArrival();
        var waiting = waiters(3, pay());
        world.advance(Duration.ofMillis(750));
        assertThat(first.failure()).isInstanceOf(StoreException.class);
        long before = world.environment.nanoTime();

        claimGate.open();
        advancing(world, Duration.ofMillis(1), () -> waiting.stream().allMatch(Background::isDone));

        assertThat(waiting.stream().map(Background::get)).containsOnly("paid 1");
        assertThat(world.environment.nanoTime() - before)
                .isLessThan(Duration.ofMillis(100).toNanos());
    }

    @Test
    void those_who_wait_for_a_runner_that_died_take_over_after_its_lease() {
        var died = world.process(world.settings().with(new ManualEnvironment()));
        var gate = new Gate();
        var dead = runner(pay(died, TakeOver.RESUME, LIMIT), gate);
        var waiting = waiters(5, pay(refrain, TakeOver.RESUME, Duration.ofMinutes(1)));

        advancing(world, Duration.ofMillis(100), () -> waiting.stream().allMatch(Background::isDone));

        assertThat(waiting.stream().map(Background::get)).containsOnly("paid 1");
        assertThat(Duration.ofNanos(world.environment.nanoTime()))
                .isBetween(Duration.ofSeconds(30), Duration.ofSeconds(33));
        gate.open();
        assertThat(dead.get()).isEqualTo("paid 1");
        assertThat(effects).hasValue(2);
    }

    @Test
    void those_who_wait_for_a_held_runner_that_died_are_told_that_its_outcome_is_unknown() {
        var died = world.process(world.settings().with(new ManualEnvironment()));
        var gate = new Gate();
        runner(pay(died, TakeOver.HOLD, LIMIT), gate);
        var waiting = waiters(5, pay(refrain, TakeOver.HOLD, Duration.ofMinutes(1)));

        advancing(world, Duration.ofMillis(100), () -> waiting.stream().allMatch(Background::isDone));

        assertThat(waiting).allSatisfy(w -> assertThat(w.failure()).isInstanceOf(AttentionException.class));
        assertThat(effects).hasValue(0);
        gate.open();
    }

    @Test
    void a_waiter_whose_turn_it_is_while_the_store_is_away_is_told_so_and_the_next_has_its_turn() {
        var gate = new Gate();
        var first = Background.run(() -> pay().run(SCOPE, "key-1", "x", claim -> {
            gate.pass();
            throw new IllegalStateException("failed");
        }));
        gate.awaitArrival();
        var waiting = waiters(2, pay());
        world.store.next(Verb.CLAIM, ScriptedStore.refused());

        gate.open();
        first.failure();
        advancing(world, Duration.ofMillis(20), () -> waiting.stream().allMatch(Background::isDone));

        var failed = waiting.stream().filter(w -> {
            try {
                w.get();
                return false;
            } catch (AssertionError e) {
                return e.getCause() instanceof StoreException;
            }
        });
        assertThat(failed).hasSize(1);
        assertThat(effects).hasValue(1);
    }
}
