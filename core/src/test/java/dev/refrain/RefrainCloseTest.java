package dev.refrain;

import static dev.refrain.testing.AwaitCondition.advancing;
import static dev.refrain.testing.SharedStoreFixture.SCOPE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.refrain.api.LeaseExpiryPolicy;
import dev.refrain.api.ReplayedFailureException;
import dev.refrain.api.ShuttingDownException;
import dev.refrain.store.RecordState;
import dev.refrain.testing.BackgroundCall;
import dev.refrain.testing.ScriptedStore;
import dev.refrain.testing.ScriptedStore.StoreMethod;
import dev.refrain.testing.SharedStoreFixture;
import dev.refrain.testing.ThreadGate;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A graceful shutdown finishes or releases what it holds: a deploy leaves no ATTENTION behind. */
class RefrainCloseTest {

    private static final Duration TO_FINISH = Duration.ofSeconds(30);

    private final SharedStoreFixture world = new SharedStoreFixture();
    private final Refrain refrain = world.process();
    private final ThreadGate gate = new ThreadGate();

    private LeasedOperation<String> pay(LeaseExpiryPolicy takeOver) {
        return refrain.operation("pay", String.class).leased(takeOver);
    }

    private BackgroundCall<String> slow(LeaseExpiryPolicy takeOver) {
        var slow = BackgroundCall.run(
                () -> pay(takeOver).run(OperationCall.scope(SCOPE).key("key-1").request("x"), claim -> {
                    gate.passUnlessInterrupted();
                    return "finished";
                }));
        gate.awaitArrival();
        return slow;
    }

    private BackgroundCall<List<String>> closing() {
        return BackgroundCall.run(() -> refrain.close(TO_FINISH));
    }

    /** Closes until everyone was interrupted. */
    private BackgroundCall<List<String>> closingUntil(AtomicBoolean interrupted) {
        var closing = closing().parked();
        advancing(world, Duration.ofMillis(500), interrupted::get);
        return closing.parked();
    }

    /** Other work, which heeds the interrupt at once and tells. */
    private AtomicBoolean another() {
        var interrupted = new AtomicBoolean();
        BackgroundCall.run(() -> refrain.operation("another", String.class)
                .leased(LeaseExpiryPolicy.RESUME)
                .run(OperationCall.scope(SCOPE).key("key-1").request("x"), claim -> {
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
    void nothingNewIsTakenAndNothingOfItRuns() {
        refrain.close(TO_FINISH);

        assertThatThrownBy(() -> pay(LeaseExpiryPolicy.RESUME)
                        .run(OperationCall.scope(SCOPE).key("key-1").request("x"), claim -> "ran"))
                .isInstanceOf(ShuttingDownException.class)
                .hasMessageContaining("pay");
        assertThat(world.record("pay", "key-1")).isEmpty();
    }

    @Test
    void runningWorkIsGivenTimeToFinish() {
        var slow = slow(LeaseExpiryPolicy.HOLD);
        var closing = closing().parked();
        world.advance(Duration.ofSeconds(5));
        assertThat(closing.isDone()).isFalse();

        gate.open();

        assertThat(slow.get()).isEqualTo("finished");
        advancing(world, Duration.ofMillis(20), closing::isDone);
        assertThat(closing.get()).isEmpty();
        assertThat(world.state("pay", "key-1")).isEqualTo(RecordState.COMPLETED);
    }

    @ParameterizedTest
    @EnumSource(LeaseExpiryPolicy.class)
    void workUnfinishedInTimeIsInterruptedAndReleasedOrKeptAsAFailure(LeaseExpiryPolicy takeOver) {
        var slow = slow(takeOver);
        var closing = closing().parked();

        advancing(world, Duration.ofSeconds(1), closing::isDone);

        assertThat(slow.failure()).isInstanceOf(InterruptedException.class);
        assertThat(closing.get()).isEmpty();
        assertThat(world.state("pay", "key-1"))
                .isEqualTo(takeOver == LeaseExpiryPolicy.RESUME ? RecordState.RELEASED : RecordState.COMPLETED);
        var next = world.process().operation("pay", String.class).leased(takeOver);
        if (takeOver == LeaseExpiryPolicy.RESUME) {
            assertThat(next.run(OperationCall.scope(SCOPE).key("key-1").request("x"), claim -> "ran elsewhere"))
                    .isEqualTo("ran elsewhere");
        } else {
            assertThatThrownBy(() ->
                            next.run(OperationCall.scope(SCOPE).key("key-1").request("x"), claim -> "twice"))
                    .isInstanceOfSatisfying(
                            ReplayedFailureException.class,
                            e -> assertThat(e.type()).isEqualTo("java.lang.InterruptedException"));
        }
    }

    @Test
    void workThatIgnoresInterruptsIsNamedAndLeftToItsLease() {
        var slow = BackgroundCall.run(() -> pay(LeaseExpiryPolicy.RESUME)
                .run(OperationCall.scope(SCOPE).key("key-1").request("x"), claim -> {
                    gate.pass();
                    return "finished after all";
                }));
        gate.awaitArrival();
        var closing = closing().parked();

        advancing(world, Duration.ofSeconds(1), closing::isDone);

        assertThat(closing.get()).containsExactly("pay");
        assertThat(world.state("pay", "key-1"))
                .as("not given back: a second one would start beside it")
                .isEqualTo(RecordState.IN_PROGRESS);
        gate.open();
        assertThat(slow.get()).isEqualTo("finished after all");
        assertThat(world.state("pay", "key-1")).isEqualTo(RecordState.COMPLETED);
    }

    @Test
    void workThatRunsMayStillCallOtherOperationsOrItCouldNotFinish() {
        var slow = BackgroundCall.run(() -> pay(LeaseExpiryPolicy.HOLD)
                .run(OperationCall.scope(SCOPE).key("key-1").request("x"), claim -> {
                    gate.passUnlessInterrupted();
                    return refrain.operation("inner", String.class)
                            .leased(LeaseExpiryPolicy.RESUME)
                            .run(
                                    OperationCall.scope(SCOPE)
                                            .key(claim.derivedKey("inner"))
                                            .request("x"),
                                    inner -> "inner finished");
                }));
        gate.awaitArrival();
        var closing = closing().parked();

        gate.open();

        assertThat(slow.get()).isEqualTo("inner finished");
        advancing(world, Duration.ofMillis(20), closing::isDone);
        assertThat(closing.get()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(LeaseExpiryPolicy.class)
    void claimThatArrivesAfterTheTimeIsOverIsGivenBackAndNothingRuns(LeaseExpiryPolicy takeOver) {
        var another = another();
        var claimGate = new ThreadGate();
        world.store.next(StoreMethod.CLAIM, ScriptedStore.replyHeld(claimGate));
        var patient = refrain.operation("pay", String.class)
                .storeTimeout(Duration.ofMinutes(5))
                .lease(Duration.ofMinutes(5))
                .leased(takeOver);
        var late = BackgroundCall.run(
                () -> patient.run(OperationCall.scope(SCOPE).key("key-1").request("x"), claim -> "ran"));
        claimGate.awaitArrival();
        var closing = closingUntil(another);

        claimGate.open();

        assertThat(late.failure()).isInstanceOf(ShuttingDownException.class);
        assertThat(world.state("pay", "key-1")).isEqualTo(RecordState.RELEASED);
        advancing(world, Duration.ofMillis(20), closing::isDone);
        assertThat(closing.get()).isEmpty();
    }

    @Test
    void interruptWhileSavingDoesNotLoseWhatWasDone() {
        var another = another();
        var writeGate = new ThreadGate();
        world.store.next(StoreMethod.WRITE, ScriptedStore.held(writeGate));
        var pay = refrain.operation("pay", String.class)
                .lease(Duration.ofMinutes(5))
                .leased(LeaseExpiryPolicy.HOLD);
        var saving = BackgroundCall.run(
                () -> pay.run(OperationCall.scope(SCOPE).key("key-1").request("x"), claim -> "done"));
        writeGate.awaitArrival();
        var closing = closingUntil(another);

        writeGate.open();

        assertThat(saving.get()).isEqualTo("done");
        advancing(world, Duration.ofMillis(20), closing::isDone);
        assertThat(world.state("pay", "key-1")).isEqualTo(RecordState.COMPLETED);
    }

    @Test
    void closingTwiceIsClosingOnce() {
        refrain.close(TO_FINISH);
        refrain.close();

        assertThat(world.environment.nanoTime()).isZero();
    }
}
