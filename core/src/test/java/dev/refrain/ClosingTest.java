package dev.refrain;

import static dev.refrain.testing.Until.advancing;
import static dev.refrain.testing.World.SCOPE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.refrain.run.ShuttingDownException;
import dev.refrain.store.State;
import dev.refrain.store.TakeOver;
import dev.refrain.testing.Background;
import dev.refrain.testing.Gate;
import dev.refrain.testing.ScriptedStore;
import dev.refrain.testing.ScriptedStore.Verb;
import dev.refrain.testing.World;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A graceful shutdown finishes or releases what it holds: a deploy leaves no ATTENTION behind. */
class ClosingTest {

    private static final Duration TO_FINISH = Duration.ofSeconds(30);

    private final World world = new World();
    private final Refrain refrain = world.process();
    private final Gate gate = new Gate();

    private Leased<String> pay(TakeOver takeOver) {
        return refrain.operation("pay", String.class).leased(takeOver);
    }

    private Background<String> slow(TakeOver takeOver) {
        var slow = Background.run(() -> pay(takeOver).run(SCOPE, "key-1", "x", claim -> {
            gate.passUnlessInterrupted();
            return "finished";
        }));
        gate.awaitArrival();
        return slow;
    }

    private Background<List<String>> closing() {
        return Background.run(() -> refrain.close(TO_FINISH));
    }

    /** Closes until everyone was interrupted. */
    private Background<List<String>> closingUntil(AtomicBoolean interrupted) {
        var closing = closing().parked();
        advancing(world, Duration.ofMillis(500), interrupted::get);
        return closing.parked();
    }

    /** Other work, which heeds the interrupt at once and tells. */
    private AtomicBoolean another() {
        var interrupted = new AtomicBoolean();
        Background.run(() -> refrain.operation("another", String.class)
                .leased(TakeOver.RESUME)
                .run(SCOPE, "key-1", "x", claim -> {
                    try {
                        gate.passUnlessInterrupted();
                    } finally {
                        interrupted.set(true);
                    }
                    return "finished";
                }));
        gate.awaitArrival();
        return interrupted;
    }

    @Test
    void nothing_new_is_taken_and_nothing_of_it_runs() {
        refrain.close(TO_FINISH);

        assertThatThrownBy(() -> pay(TakeOver.RESUME).run(SCOPE, "key-1", "x", claim -> "ran"))
                .isInstanceOf(ShuttingDownException.class)
                .hasMessageContaining("pay");
        assertThat(world.record("pay", "key-1")).isEmpty();
    }

    @Test
    void what_runs_is_given_time_to_finish() {
        var slow = slow(TakeOver.HOLD);
        var closing = closing().parked();
        world.advance(Duration.ofSeconds(5));
        assertThat(closing.isDone()).isFalse();

        gate.open();

        assertThat(slow.get()).isEqualTo("finished");
        advancing(world, Duration.ofMillis(20), closing::isDone);
        assertThat(closing.get()).isEmpty();
        assertThat(world.state("pay", "key-1")).isEqualTo(State.COMPLETED);
    }

    @ParameterizedTest
    @EnumSource(TakeOver.class)
    void what_does_not_finish_in_time_is_interrupted_and_released_or_kept_as_a_failure(TakeOver takeOver) {
        var slow = slow(takeOver);
        var closing = closing().parked();

        advancing(world, Duration.ofSeconds(1), closing::isDone);

        assertThat(slow.failure()).isInstanceOf(InterruptedException.class);
        assertThat(closing.get()).isEmpty();
        assertThat(world.state("pay", "key-1"))
                .isEqualTo(takeOver == TakeOver.RESUME ? State.RELEASED : State.COMPLETED);
        var next = world.process().operation("pay", String.class).leased(takeOver);
        if (takeOver == TakeOver.RESUME) {
            assertThat(next.run(SCOPE, "key-1", "x", claim -> "ran elsewhere")).isEqualTo("ran elsewhere");
        } else {
            assertThatThrownBy(() -> next.run(SCOPE, "key-1", "x", claim -> "twice"))
                    .isInstanceOfSatisfying(
                            RepeatedFailureException.class,
                            e -> assertThat(e.type()).isEqualTo("java.lang.InterruptedException"));
        }
    }

    @Test
    void what_heeds_no_interrupt_is_named_and_left_to_its_lease_while_it_still_runs() {
        var slow = Background.run(() -> pay(TakeOver.RESUME).run(SCOPE, "key-1", "x", claim -> {
            gate.pass();
            return "finished after all";
        }));
        gate.awaitArrival();
        var closing = closing().parked();

        advancing(world, Duration.ofSeconds(1), closing::isDone);

        assertThat(closing.get()).containsExactly("pay");
        assertThat(world.state("pay", "key-1"))
                .as("not given back: a second one would start beside it")
                .isEqualTo(State.IN_PROGRESS);
        gate.open();
        assertThat(slow.get()).isEqualTo("finished after all");
        assertThat(world.state("pay", "key-1")).isEqualTo(State.COMPLETED);
    }

    @Test
    void work_that_runs_may_still_call_other_operations_or_it_could_not_finish() {
        var slow = Background.run(() -> pay(TakeOver.HOLD).run(SCOPE, "key-1", "x", claim -> {
            gate.passUnlessInterrupted();
            return refrain.operation("inner", String.class)
                    .leased(TakeOver.RESUME)
                    .run(SCOPE, claim.derivedKey("inner"), "x", inner -> "inner finished");
        }));
        gate.awaitArrival();
        var closing = closing().parked();

        gate.open();

        assertThat(slow.get()).isEqualTo("inner finished");
        advancing(world, Duration.ofMillis(20), closing::isDone);
        assertThat(closing.get()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(TakeOver.class)
    void a_claim_that_arrives_after_the_time_is_over_is_given_back_and_nothing_runs(TakeOver takeOver) {
        var another = another();
        var claimGate = new Gate();
        world.store.next(Verb.CLAIM, ScriptedStore.replyHeld(claimGate));
        var patient = refrain.operation("pay", String.class)
                .storeTimeout(Duration.ofMinutes(5))
                .lease(Duration.ofMinutes(5))
                .leased(takeOver);
        var late = Background.run(() -> patient.run(SCOPE, "key-1", "x", claim -> "ran"));
        claimGate.awaitArrival();
        var closing = closingUntil(another);

        claimGate.open();

        assertThat(late.failure()).isInstanceOf(ShuttingDownException.class);
        assertThat(world.state("pay", "key-1")).isEqualTo(State.RELEASED);
        advancing(world, Duration.ofMillis(20), closing::isDone);
        assertThat(closing.get()).isEmpty();
    }

    @Test
    void an_interrupt_while_saving_does_not_lose_what_was_done() {
        var another = another();
        var writeGate = new Gate();
        world.store.next(Verb.WRITE, ScriptedStore.held(writeGate));
        var pay = refrain.operation("pay", String.class)
                .lease(Duration.ofMinutes(5))
                .leased(TakeOver.HOLD);
        var saving = Background.run(() -> pay.run(SCOPE, "key-1", "x", claim -> "done"));
        writeGate.awaitArrival();
        var closing = closingUntil(another);

        writeGate.open();

        assertThat(saving.get()).isEqualTo("done");
        advancing(world, Duration.ofMillis(20), closing::isDone);
        assertThat(world.state("pay", "key-1")).isEqualTo(State.COMPLETED);
    }

    @Test
    void closing_twice_is_closing_once() {
        refrain.close(TO_FINISH);
        refrain.close();

        assertThat(world.environment.nanoTime()).isZero();
    }
}
