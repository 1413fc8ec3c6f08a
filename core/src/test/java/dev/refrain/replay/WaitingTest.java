package dev.refrain.replay;

import static dev.refrain.testing.Until.advancing;
import static dev.refrain.testing.Until.until;
import static dev.refrain.testing.World.SCOPE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.refrain.Call;
import dev.refrain.InProgressException;
import dev.refrain.MismatchException;
import dev.refrain.Refrain;
import dev.refrain.Settings;
import dev.refrain.observe.Event;
import dev.refrain.outcome.Outcome;
import dev.refrain.run.RunResult;
import dev.refrain.store.TakeOver;
import dev.refrain.store.memory.MemoryStore;
import dev.refrain.testing.Background;
import dev.refrain.testing.Gate;
import dev.refrain.testing.ScriptedStore;
import dev.refrain.testing.ScriptedStore.Verb;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Retries that wait for the one that runs. */
class WaitingTest extends WithWaiters {

    @Test
    void all_who_wait_in_the_same_process_are_woken_at_once_and_given_the_same_bytes() {
        var raw = refrain.operation("raw").waitForOutcome(LIMIT).leased(TakeOver.RESUME);
        var gate = new Gate();
        var answer = Outcome.Answer.of(201, new byte[] {0, 1, (byte) 0xFF});
        var first = Background.run(() -> raw.runForResult(Call.of(SCOPE, "key-1", "x"), claim -> {
            gate.pass();
            return answer;
        }));
        gate.awaitArrival();
        var waiting = Background.run(50, () -> raw.runForResult(Call.of(SCOPE, "key-1", "x"), claim -> answer));
        waiting.forEach(Background::parked);
        long before = world.environment.nanoTime();

        gate.open();

        assertThat(first.get()).isEqualTo(new RunResult.Ran(answer));
        var id = world.record("raw", "key-1").orElseThrow().id();
        assertThat(waiting.stream().map(Background::get)).containsOnly(new RunResult.Replayed(id, answer));
        assertThat(world.environment.nanoTime()).as("no poll was needed").isEqualTo(before);
        until(() -> world.events.of(Event.Waited.class).size() == 50);
    }

    @Test
    void those_who_wait_in_another_process_see_it_by_one_poll_for_each_key() {
        var gate = new Gate();
        var first = runner(pay(), gate);
        var elsewhere = pay(world.process(), TakeOver.RESUME, LIMIT);
        var waiting = waiters(20, elsewhere);
        gate.open();
        first.get();

        advancing(world, Duration.ofMillis(20), () -> waiting.stream().allMatch(Background::isDone));

        assertThat(waiting.stream().map(Background::get)).containsOnly("paid 1");
        assertThat(world.store.asked(Verb.FIND)).hasSizeLessThan(10).allMatch(rows -> rows.size() == 1);
        assertThat(Duration.ofNanos(world.environment.nanoTime())).isLessThan(Duration.ofSeconds(2));
    }

    @Test
    void polls_are_rare_however_long_it_takes() {
        var gate = new Gate();
        var first = runner(pay(refrain, TakeOver.RESUME, LIMIT), gate);
        var elsewhere = pay(world.process(), TakeOver.RESUME, Duration.ofSeconds(60));
        var waiting = waiter(elsewhere);

        advancing(
                world,
                Duration.ofMillis(100),
                () -> world.environment.nanoTime() > Duration.ofSeconds(20).toNanos());

        assertThat(world.store.asked(Verb.FIND)).hasSizeLessThan(30);
        gate.open();
        first.get();
        advancing(world, Duration.ofMillis(100), waiting::isDone);
        assertThat(waiting.get()).isEqualTo("paid 1");
    }

    @Test
    void when_its_time_is_over_a_waiter_is_told_that_it_is_still_running_and_the_claim_stands() {
        var gate = new Gate();
        var first = runner(pay(), gate);
        var waiting = waiter(pay());

        advancing(world, Duration.ofMillis(100), waiting::isDone);

        assertThat(waiting.failure()).isInstanceOf(InProgressException.class);
        assertThat(Duration.ofNanos(world.environment.nanoTime())).isBetween(LIMIT, LIMIT.plusSeconds(1));
        gate.open();
        assertThat(first.get()).isEqualTo("paid 1");
        assertThat(effects).hasValue(1);
    }

    @Test
    void each_waiter_has_its_own_deadline_also_one_who_came_between_two_polls() {
        var gate = new Gate();
        var first = runner(pay(), gate);
        var patient = waiter(pay(refrain, TakeOver.RESUME, Duration.ofMinutes(5)));
        // Until the polls are a second apart.
        advancing(
                world, Duration.ofMillis(50), () -> world.store.asked(Verb.FIND).size() >= 8);
        advancing(world, Duration.ofMillis(10), () -> world.environment.nanoTime() % 1_000_000_000L < 100_000_000L);
        long before = world.environment.nanoTime();
        var hasty = waiter(pay(refrain, TakeOver.RESUME, Duration.ofMillis(50)));

        world.advance(Duration.ofMillis(50));

        assertThat(hasty.failure()).isInstanceOf(InProgressException.class);
        assertThat(world.environment.nanoTime() - before)
                .isEqualTo(Duration.ofMillis(50).toNanos());
        assertThat(patient.isDone()).isFalse();
        gate.open();
        first.get();
        assertThat(patient.get()).isEqualTo("paid 1");
    }

    @Test
    void a_store_that_is_slow_does_not_make_a_waiter_wait_longer_than_it_said() {
        var gate = new Gate();
        var first = runner(pay(), gate);
        world.store.always(Verb.FIND, ScriptedStore.away());
        var waiting = waiter(pay());

        advancing(world, Duration.ofMillis(10), waiting::isDone);

        assertThat(waiting.failure()).isInstanceOf(InProgressException.class);
        assertThat(Duration.ofNanos(world.environment.nanoTime())).isBetween(LIMIT, LIMIT.plusMillis(200));
        gate.open();
        first.get();
    }

    @Test
    void an_unlike_request_does_not_wait_to_be_told_that_it_is_unlike() {
        var gate = new Gate();
        var first = runner(pay(), gate);

        var unlike = Background.run(() -> pay().run(SCOPE, "key-1", "another request", claim -> charge()));

        assertThat(unlike.failure()).isInstanceOf(MismatchException.class);
        gate.open();
        first.get();
    }

    @Test
    void an_interrupt_does_not_end_the_waiting() {
        var gate = new Gate();
        var first = runner(pay(), gate);
        var waiting = waiter(pay());

        waiting.interrupt();
        waiting.parked();
        gate.open();

        assertThat(waiting.get()).isEqualTo("paid 1");
        first.get();
    }

    @Test
    void a_poll_that_the_store_refuses_does_not_end_the_waiting() {
        var gate = new Gate();
        var first = runner(pay(), gate);
        var elsewhere = pay(world.process(), TakeOver.RESUME, LIMIT);
        world.store.next(Verb.FIND, ScriptedStore.refused(), ScriptedStore.broken(), ScriptedStore.away());
        var waiting = waiter(elsewhere);
        gate.open();
        first.get();

        advancing(world, Duration.ofMillis(20), waiting::isDone);

        assertThat(waiting.get()).isEqualTo("paid 1");
        assertThat(world.events.of(Event.StoreFailed.class)).hasSizeGreaterThanOrEqualTo(2);
    }

    @Test
    void an_empty_room_is_closed_and_keeps_no_timer() {
        var gate = new Gate();
        var first = runner(pay(), gate);
        var waiting = waiter(pay());
        gate.open();
        first.get();
        waiting.get();
        refrain.close(Duration.ZERO);

        advancing(world, Duration.ofMillis(100), () -> world.environment.alarms() == 0);
    }

    @Test
    void thousands_wait_on_virtual_threads_of_real_time_and_all_get_the_same_bytes() {
        var store = new MemoryStore();
        try (var here = Refrain.using(store, Settings.defaults());
                var there = Refrain.using(store, Settings.defaults())) {
            var gate = new Gate();
            var first = runner(pay(here, TakeOver.RESUME, LIMIT), gate);
            var waiting = new ArrayList<Background<String>>();
            for (var process : List.of(here, there)) {
                var pay = pay(process, TakeOver.RESUME, Duration.ofSeconds(20));
                waiting.addAll(Background.run(900, () -> pay.run(SCOPE, "key-1", "x", claim -> charge())));
            }
            until(() -> waiting.stream().noneMatch(Background::isDone));

            gate.open();

            assertThat(waiting.stream().map(Background::get)).containsOnly("paid 1");
            assertThat(first.get()).isEqualTo("paid 1");
        }
        assertThat(effects).hasValue(1);
    }
}
