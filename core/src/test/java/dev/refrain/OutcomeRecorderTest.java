package dev.refrain;

import static dev.refrain.testing.AwaitCondition.advancing;
import static dev.refrain.testing.AwaitCondition.until;
import static dev.refrain.testing.SharedStoreFixture.SCOPE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.refrain.api.AttentionRequiredException;
import dev.refrain.api.InProgressException;
import dev.refrain.api.LeaseExpiryPolicy;
import dev.refrain.api.Outcome;
import dev.refrain.api.OutcomeNotKeptException;
import dev.refrain.api.OutcomeUnknownException;
import dev.refrain.observe.RefrainEvent;
import dev.refrain.store.RecordState;
import dev.refrain.store.RecordWrite;
import dev.refrain.store.RowRejectedException;
import dev.refrain.store.StoreException;
import dev.refrain.store.StoreException.Effect;
import dev.refrain.testing.BackgroundCall;
import dev.refrain.testing.ScriptedStore;
import dev.refrain.testing.ScriptedStore.StoreMethod;
import dev.refrain.testing.SharedStoreFixture;
import dev.refrain.testing.ThreadGate;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** After the work: the outcome is stored before anyone is answered, and a runner that lost its claim has no answer of its own. */
class OutcomeRecorderTest {

    private static final Duration LEASE = Duration.ofSeconds(30);

    private final SharedStoreFixture world = new SharedStoreFixture();
    private final Refrain refrain = world.process();
    private final Refrain elsewhere = world.process();
    private final AtomicInteger effects = new AtomicInteger();

    private LeasedOperation<String> pay(LeaseExpiryPolicy takeOver) {
        return refrain.operation("pay", String.class).leased(takeOver);
    }

    private LeasedOperation<String> payElsewhere(LeaseExpiryPolicy takeOver) {
        return elsewhere.operation("pay", String.class).leased(takeOver);
    }

    private String charge() {
        return "paid " + effects.incrementAndGet();
    }

    private RecordState state() {
        return world.state("pay", "key-1");
    }

    @Test
    void nobodyIsAnsweredBeforeTheOutcomeIsStored() {
        var gate = new ThreadGate();
        world.store.next(StoreMethod.WRITE, ScriptedStore.held(gate));
        var first = BackgroundCall.run(() -> pay(LeaseExpiryPolicy.RESUME)
                .run(OperationCall.scope(SCOPE).key("key-1").request("x"), claim -> charge()));
        gate.awaitArrival();
        first.parked();
        assertThat(effects).hasValue(1);

        gate.open();

        assertThat(first.get()).isEqualTo("paid 1");
        assertThat(state()).isEqualTo(RecordState.COMPLETED);
    }

    @ParameterizedTest
    @EnumSource(LeaseExpiryPolicy.class)
    void savingIsTriedAgainWhileTheLeaseLives(LeaseExpiryPolicy takeOver) {
        world.store.always(StoreMethod.WRITE, ScriptedStore.away());
        var first = BackgroundCall.run(
                () -> pay(takeOver).run(OperationCall.scope(SCOPE).key("key-1").request("x"), claim -> charge()));
        advancing(
                world,
                Duration.ofMillis(100),
                () -> world.store.asked(StoreMethod.WRITE).size() > 20);
        assertThat(first.isDone()).isFalse();

        world.store.heal();
        advancing(world, Duration.ofMillis(100), first::isDone);

        assertThat(first.get()).isEqualTo("paid 1");
        assertThat(pay(takeOver).run(OperationCall.scope(SCOPE).key("key-1").request("x"), claim -> charge()))
                .isEqualTo("paid 1");
        assertThat(effects).hasValue(1);
    }

    @Test
    void completionWhoseReplyWasLostCountsOnceAndIsAnswered() {
        world.store.next(StoreMethod.WRITE, ScriptedStore.replyLost());
        var first = BackgroundCall.run(() -> pay(LeaseExpiryPolicy.RESUME)
                .run(OperationCall.scope(SCOPE).key("key-1").request("x"), claim -> charge()));

        advancing(world, Duration.ofMillis(5), first::isDone);

        assertThat(first.get()).isEqualTo("paid 1");
        assertThat(pay(LeaseExpiryPolicy.RESUME)
                        .run(OperationCall.scope(SCOPE).key("key-1").request("x"), claim -> charge()))
                .isEqualTo("paid 1");
    }

    @Test
    void refusalThatPassesWithinTheLeaseCostsNothingButTime() {
        world.store.next(StoreMethod.WRITE, ScriptedStore.refused(), ScriptedStore.broken(), ScriptedStore.refused());
        var first = BackgroundCall.run(() -> pay(LeaseExpiryPolicy.HOLD)
                .run(OperationCall.scope(SCOPE).key("key-1").request("x"), claim -> charge()));

        advancing(world, Duration.ofMillis(50), first::isDone);

        assertThat(first.get()).isEqualTo("paid 1");
        assertThat(state()).isEqualTo(RecordState.COMPLETED);
    }

    @Test
    void lockInTheWayIsWaitedOut() {
        world.store.next(StoreMethod.WRITE, (rows, call) -> {
            throw RowRejectedException.locked("someone has the row", null);
        });
        var first = BackgroundCall.run(() -> pay(LeaseExpiryPolicy.HOLD)
                .run(OperationCall.scope(SCOPE).key("key-1").request("x"), claim -> charge()));

        advancing(world, Duration.ofMillis(50), first::isDone);

        assertThat(first.get()).isEqualTo("paid 1");
    }

    @Test
    void storeThatOnlyRefusesIsNotAskedForLongerThanALeaseAlthoughItLetsLeasesBeRenewed() {
        world.store.always(StoreMethod.WRITE, ScriptedStore.refused());
        var first = BackgroundCall.run(() -> pay(LeaseExpiryPolicy.HOLD)
                .run(OperationCall.scope(SCOPE).key("key-1").request("x"), claim -> charge()));

        advancing(world, Duration.ofSeconds(1), first::isDone);

        assertThat(first.failure()).isInstanceOf(OutcomeUnknownException.class);
        assertThat(Duration.ofNanos(world.environment.nanoTime())).isLessThan(LEASE.multipliedBy(2));
    }

    @Test
    void outcomeNeitherStoredNorReadBackIsUnknownAndARetryFindsOut() {
        world.store.always(StoreMethod.WRITE, ScriptedStore.away());
        world.store.always(StoreMethod.RENEW, ScriptedStore.away());
        var first = BackgroundCall.run(() -> pay(LeaseExpiryPolicy.HOLD)
                .run(OperationCall.scope(SCOPE).key("key-1").request("x"), claim -> charge()));

        advancing(world, Duration.ofMillis(200), first::isDone);

        var id = world.record("pay", "key-1").orElseThrow().id();
        assertThat(first.failure())
                .isInstanceOfSatisfying(
                        OutcomeUnknownException.class,
                        e -> assertThat(e.recordId()).isEqualTo(id))
                .hasMessageContaining("retry under the same key");
        assertThat(world.events.only(RefrainEvent.OutcomeUnknown.class))
                .isEqualTo(new RefrainEvent.OutcomeUnknown("pay", id));
        world.store.heal();
        // A renewal may have been on its way.
        world.advance(LEASE.plusSeconds(1));
        assertThatThrownBy(() -> pay(LeaseExpiryPolicy.HOLD)
                        .run(OperationCall.scope(SCOPE).key("key-1").request("x"), claim -> charge()))
                .isInstanceOf(AttentionRequiredException.class);
        assertThat(effects).hasValue(1);
    }

    @Test
    void outcomeTheStoreCannotHoldLeavesTheStateAndNeverFreesTheKey() {
        world.store.next(StoreMethod.WRITE, (rows, call) -> {
            throw RowRejectedException.badData("no such bytes here: paid 1", null);
        });

        assertThat(pay(LeaseExpiryPolicy.RESUME)
                        .run(OperationCall.scope(SCOPE).key("key-1").request("x"), claim -> charge()))
                .isEqualTo("paid 1");
        assertThatThrownBy(() -> pay(LeaseExpiryPolicy.RESUME)
                        .run(OperationCall.scope(SCOPE).key("key-1").request("x"), claim -> charge()))
                .isInstanceOf(OutcomeNotKeptException.class);
        assertThat(world.events.only(RefrainEvent.OutcomeNotKept.class).reason())
                .isEqualTo("The store cannot hold it.");
    }

    @Test
    void storeThatCanHoldNotEvenTheStateMakesTheOutcomeUnknown() {
        world.store.always(StoreMethod.WRITE, (rows, call) -> {
            throw RowRejectedException.badData("never", null);
        });

        assertThatThrownBy(() -> pay(LeaseExpiryPolicy.RESUME)
                        .run(OperationCall.scope(SCOPE).key("key-1").request("x"), claim -> charge()))
                .isInstanceOf(OutcomeUnknownException.class);
    }

    /** The first runner's process stands still beyond its lease: the store's clock goes on, its own does not. */
    private BackgroundCall<String> stalled(
            LeasedOperation<String> operation, ThreadGate gate, LeasedWork<String, Exception> rest) {
        var first = BackgroundCall.run(
                () -> operation.run(OperationCall.scope(SCOPE).key("key-1").request("x"), claim -> {
                    gate.pass();
                    return rest.run(claim);
                }));
        gate.awaitArrival();
        world.clock.advance(LEASE.plusSeconds(1));
        return first;
    }

    @Test
    void runnerThatWasTakenOverAnswersWithTheStoredOutcomeAndNotWithItsOwn() {
        var gate = new ThreadGate();
        var first = stalled(pay(LeaseExpiryPolicy.RESUME), gate, claim -> "my own");
        assertThat(payElsewhere(LeaseExpiryPolicy.RESUME)
                        .run(OperationCall.scope(SCOPE).key("key-1").request("x"), claim -> "theirs"))
                .isEqualTo("theirs");

        gate.open();

        assertThat(first.get()).isEqualTo("theirs");
        assertThat(pay(LeaseExpiryPolicy.RESUME)
                        .run(OperationCall.scope(SCOPE).key("key-1").request("x"), claim -> charge()))
                .isEqualTo("theirs");
        assertThat(world.events.only(RefrainEvent.FencedOut.class).fence()).isEqualTo(1);
    }

    @Test
    void runnerThatWasTakenOverWaitsForTheOneWhoRunsNow() {
        var gate = new ThreadGate();
        var first = stalled(pay(LeaseExpiryPolicy.RESUME), gate, claim -> "my own");
        var second = new ThreadGate();
        var taker = BackgroundCall.run(() -> payElsewhere(LeaseExpiryPolicy.RESUME)
                .run(OperationCall.scope(SCOPE).key("key-1").request("x"), claim -> {
                    second.pass();
                    return "theirs";
                }));
        second.awaitArrival();
        gate.open();
        world.events.await(RefrainEvent.FencedOut.class);
        first.parked();

        second.open();
        taker.get();
        advancing(world, Duration.ofMillis(20), first::isDone);

        assertThat(first.get()).isEqualTo("theirs");
    }

    @Test
    void runnerThatFailedAfterItWasTakenOverAnswersWithTheStoredOutcomeAndTouchesNothing() {
        var gate = new ThreadGate();
        var first = stalled(pay(LeaseExpiryPolicy.RESUME), gate, claim -> {
            throw new IOException("timed out");
        });
        payElsewhere(LeaseExpiryPolicy.RESUME)
                .run(OperationCall.scope(SCOPE).key("key-1").request("x"), claim -> "theirs");

        gate.open();

        assertThat(first.get()).isEqualTo("theirs");
        assertThat(state()).isEqualTo(RecordState.COMPLETED);
        assertThat(world.events.of(RefrainEvent.Released.class)).isEmpty();
        assertThat(world.events.of(RefrainEvent.FencedOut.class)).hasSize(1);
    }

    @Test
    void runnerThatFailedWhileAnotherOneRunsDoesNotFreeThatOnesClaim() {
        var gate = new ThreadGate();
        var first = stalled(pay(LeaseExpiryPolicy.RESUME), gate, claim -> {
            throw new IOException("timed out");
        });
        var second = new ThreadGate();
        var taker = BackgroundCall.run(() -> payElsewhere(LeaseExpiryPolicy.RESUME)
                .run(OperationCall.scope(SCOPE).key("key-1").request("x"), claim -> {
                    second.pass();
                    return "theirs";
                }));
        second.awaitArrival();

        gate.open();

        assertThat(first.failure()).isInstanceOf(IOException.class);
        assertThat(state()).isEqualTo(RecordState.IN_PROGRESS);
        assertThatThrownBy(() -> pay(LeaseExpiryPolicy.RESUME)
                        .run(OperationCall.scope(SCOPE).key("key-1").request("x"), claim -> charge()))
                .isInstanceOf(InProgressException.class);
        second.open();
        assertThat(taker.get()).isEqualTo("theirs");
    }

    @Test
    void runnerWhoseClaimWasReleasedMeanwhileDoesNotKnowAndLeavesTheTurnToOthers() {
        var gate = new ThreadGate();
        var first = stalled(pay(LeaseExpiryPolicy.RESUME), gate, claim -> "my own");
        world.memory.sweep(Duration.ZERO, 100);
        assertThat(state()).isEqualTo(RecordState.RELEASED);

        gate.open();
        advancing(world, Duration.ofMillis(20), first::isDone);

        assertThat(first.failure()).isInstanceOf(OutcomeUnknownException.class);
        assertThat(payElsewhere(LeaseExpiryPolicy.RESUME)
                        .run(OperationCall.scope(SCOPE).key("key-1").request("x"), claim -> "theirs"))
                .isEqualTo("theirs");
    }

    @Test
    void lateRunnerWhoseRecordWentToAttentionStillCompletesIt() {
        var gate = new ThreadGate();
        var first = stalled(pay(LeaseExpiryPolicy.HOLD), gate, claim -> charge());
        assertThatThrownBy(() -> pay(LeaseExpiryPolicy.HOLD)
                        .run(OperationCall.scope(SCOPE).key("key-1").request("x"), claim -> charge()))
                .isInstanceOf(AttentionRequiredException.class);

        gate.open();

        assertThat(first.get()).isEqualTo("paid 1");
        assertThat(state()).isEqualTo(RecordState.COMPLETED);
        assertThat(pay(LeaseExpiryPolicy.HOLD)
                        .run(OperationCall.scope(SCOPE).key("key-1").request("x"), claim -> charge()))
                .isEqualTo("paid 1");
    }

    @Test
    void lateRunnerWhoseRecordAPersonResolvedAnswersAsTheyDecided() {
        var gate = new ThreadGate();
        var first = stalled(pay(LeaseExpiryPolicy.HOLD), gate, claim -> "my own");
        world.memory.sweep(Duration.ZERO, 100);
        var item = refrain.admin().listAttention(10).getFirst();
        refrain.admin()
                .resolve(
                        item.claim(),
                        Outcome.Answer.of(200, "\"as the bank says\"".getBytes(StandardCharsets.UTF_8)),
                        "ops",
                        "asked the bank");

        gate.open();

        assertThat(first.get()).isEqualTo("as the bank says");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void interruptingTheCallerWhileItSavesDoesNotLoseTheOutcome(boolean storeAway) {
        var gate = new ThreadGate();
        world.store.next(StoreMethod.WRITE, (rows, call) -> {
            gate.pass();
            if (storeAway) {
                throw StoreException.unavailable("away", Effect.NONE, null);
            }
            return call.get();
        });
        var first = BackgroundCall.run(() -> pay(LeaseExpiryPolicy.RESUME)
                .run(OperationCall.scope(SCOPE).key("key-1").request("x"), claim -> charge()));
        gate.awaitArrival();

        first.parked().interrupt();
        first.parked();
        gate.open();
        advancing(world, Duration.ofMillis(5), first::isDone);

        assertThat(first.get()).isEqualTo("paid 1");
        assertThat(state()).isEqualTo(RecordState.COMPLETED);
    }

    @Test
    void failureThatCouldNotBeReleasedReachesTheCallerAndIsLeftToTheLease() {
        world.store.always(StoreMethod.WRITE, ScriptedStore.away());
        world.store.always(StoreMethod.RENEW, ScriptedStore.away());
        var first = BackgroundCall.run(() -> pay(LeaseExpiryPolicy.RESUME)
                .run(OperationCall.scope(SCOPE).key("key-1").request("x"), claim -> {
                    throw new IOException("no route");
                }));

        advancing(world, Duration.ofMillis(200), first::isDone);

        assertThat(first.failure()).isInstanceOf(IOException.class);
        world.store.heal();
        // A renewal may have been on its way.
        world.advance(LEASE.plusSeconds(1));
        assertThat(pay(LeaseExpiryPolicy.RESUME)
                        .run(OperationCall.scope(SCOPE).key("key-1").request("x"), claim -> charge()))
                .isEqualTo("paid 1");
    }

    @Test
    void failureThatCouldNotBeKeptReachesTheCallerWithTheReasonBesideIt() {
        world.store.always(StoreMethod.WRITE, ScriptedStore.away());
        world.store.always(StoreMethod.RENEW, ScriptedStore.away());
        var first = BackgroundCall.run(() -> pay(LeaseExpiryPolicy.HOLD)
                .run(OperationCall.scope(SCOPE).key("key-1").request("x"), claim -> {
                    throw new IOException("no route");
                }));

        advancing(world, Duration.ofMillis(200), first::isDone);

        assertThat(first.failure()).isInstanceOf(IOException.class);
        assertThat(first.failure().getSuppressed()).singleElement().isInstanceOf(OutcomeUnknownException.class);
    }

    @Test
    void everyWriteNamesTheRecordAndTheFence() {
        assertThatThrownBy(() -> pay(LeaseExpiryPolicy.RESUME)
                        .run(OperationCall.scope(SCOPE).key("key-1").request("x"), claim -> {
                            throw new IllegalStateException();
                        }))
                .isInstanceOf(IllegalStateException.class);
        pay(LeaseExpiryPolicy.RESUME)
                .run(OperationCall.scope(SCOPE).key("key-1").request("x"), claim -> charge());

        var id = world.record("pay", "key-1").orElseThrow().id();
        until(() -> world.store.asked(StoreMethod.WRITE).size() == 2);
        assertThat(world.store.asked(StoreMethod.WRITE).stream()
                        .flatMap(List::stream)
                        .map(w -> ((RecordWrite) w).claim()))
                .extracting(c -> c.id().equals(id) ? c.fence() : -1)
                .containsExactly(1L, 2L);
    }
}
