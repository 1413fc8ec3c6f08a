package dev.refrain.internal.replay;

import static dev.refrain.testing.AwaitCondition.advancing;
import static dev.refrain.testing.SharedStoreFixture.SCOPE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.refrain.OperationCall;
import dev.refrain.api.AttentionRequiredException;
import dev.refrain.api.LeaseExpiryPolicy;
import dev.refrain.store.StoreException;
import dev.refrain.testing.BackgroundCall;
import dev.refrain.testing.ManualEnvironment;
import dev.refrain.testing.ScriptedStore;
import dev.refrain.testing.ScriptedStore.StoreMethod;
import dev.refrain.testing.ThreadGate;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Who runs next when the one that ran gives up. */
class WaiterTakeoverTest extends WaiterTestBase {

    @Test
    void afterAReleaseOneOfThoseWhoWaitRunsAndTheOthersKeepWaiting() {
        var gate = new ThreadGate();
        var first = BackgroundCall.run(
                () -> pay().run(OperationCall.scope(SCOPE).key("key-1").request("x"), claim -> {
                    gate.pass();
                    throw new IllegalStateException("the first one failed");
                }));
        gate.awaitArrival();
        var second = new ThreadGate();
        var waiting = BackgroundCall.run(
                10,
                () -> pay().run(OperationCall.scope(SCOPE).key("key-1").request("x"), claim -> {
                    second.pass();
                    return charge();
                }));
        waiting.forEach(BackgroundCall::parked);

        gate.open();
        first.failure();
        second.awaitArrival();
        waiting.forEach(BackgroundCall::parked);
        second.open();
        advancing(world, Duration.ofMillis(20), () -> waiting.stream().allMatch(BackgroundCall::isDone));

        assertThat(waiting.stream().map(BackgroundCall::get)).containsOnly("paid 1");
        assertThat(effects).hasValue(1);
    }

    @Test
    void claimGivenBackBecauseItCameTooLateWakesOneOfThoseWhoWait() {
        var hasty = refrain.operation("pay", String.class)
                .storeTimeout(Duration.ofMillis(650))
                .leased(LeaseExpiryPolicy.RESUME);
        var claimGate = new ThreadGate();
        world.store.next(StoreMethod.CLAIM, ScriptedStore.replyHeld(claimGate));
        var first = BackgroundCall.run(
                () -> hasty.run(OperationCall.scope(SCOPE).key("key-1").request("x"), claim -> charge()));
        claimGate.awaitArrival();
        var waiting = waiters(3, pay());
        world.advance(Duration.ofMillis(750));
        assertThat(first.failure()).isInstanceOf(StoreException.class);
        long before = world.environment.nanoTime();

        claimGate.open();
        advancing(world, Duration.ofMillis(1), () -> waiting.stream().allMatch(BackgroundCall::isDone));

        assertThat(waiting.stream().map(BackgroundCall::get)).containsOnly("paid 1");
        assertThat(world.environment.nanoTime() - before)
                .isLessThan(Duration.ofMillis(100).toNanos());
    }

    @Test
    void waitersForADeadRunnerTakeOverAfterItsLease() {
        var died = world.process(world.settings().with(new ManualEnvironment()));
        var gate = new ThreadGate();
        var dead = runner(pay(died, LeaseExpiryPolicy.RESUME, LIMIT), gate);
        var waiting = waiters(5, pay(refrain, LeaseExpiryPolicy.RESUME, Duration.ofMinutes(1)));

        advancing(world, Duration.ofMillis(100), () -> waiting.stream().allMatch(BackgroundCall::isDone));

        assertThat(waiting.stream().map(BackgroundCall::get)).containsOnly("paid 1");
        assertThat(Duration.ofNanos(world.environment.nanoTime()))
                .isBetween(Duration.ofSeconds(30), Duration.ofSeconds(33));
        gate.open();
        assertThat(dead.get()).isEqualTo("paid 1");
        assertThat(effects).hasValue(2);
    }

    @Test
    void waitersForADeadHeldRunnerSeeAnUnknownOutcome() {
        var died = world.process(world.settings().with(new ManualEnvironment()));
        var gate = new ThreadGate();
        runner(pay(died, LeaseExpiryPolicy.HOLD, LIMIT), gate);
        var waiting = waiters(5, pay(refrain, LeaseExpiryPolicy.HOLD, Duration.ofMinutes(1)));

        advancing(world, Duration.ofMillis(100), () -> waiting.stream().allMatch(BackgroundCall::isDone));

        assertThat(waiting).allSatisfy(w -> assertThat(w.failure()).isInstanceOf(AttentionRequiredException.class));
        assertThat(effects).hasValue(0);
        gate.open();
    }

    @Test
    void waiterWhoseTurnComesWhileTheStoreIsAwayFailsAndTheNextHasItsTurn() {
        var gate = new ThreadGate();
        var first = BackgroundCall.run(
                () -> pay().run(OperationCall.scope(SCOPE).key("key-1").request("x"), claim -> {
                    gate.pass();
                    throw new IllegalStateException("failed");
                }));
        gate.awaitArrival();
        var waiting = waiters(2, pay());
        world.store.next(StoreMethod.CLAIM, ScriptedStore.refused());

        gate.open();
        first.failure();
        advancing(world, Duration.ofMillis(20), () -> waiting.stream().allMatch(BackgroundCall::isDone));

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
