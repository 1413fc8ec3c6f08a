package dev.refrain.internal.claim;

import static dev.refrain.testing.AwaitCondition.advancing;
import static dev.refrain.testing.AwaitCondition.until;
import static org.assertj.core.api.Assertions.assertThat;

import dev.refrain.RequestFingerprinter;
import dev.refrain.api.LeaseExpiryPolicy;
import dev.refrain.api.RequestContent;
import dev.refrain.api.Retention;
import dev.refrain.api.ScopedKey;
import dev.refrain.internal.batch.BatchedStoreClient;
import dev.refrain.observe.TraceIdSource;
import dev.refrain.store.ClaimRequest;
import dev.refrain.store.ClaimResponse;
import dev.refrain.store.RecordState;
import dev.refrain.store.RecordWrite;
import dev.refrain.store.RowRejectedException;
import dev.refrain.store.StoreException;
import dev.refrain.store.StoreException.Effect;
import dev.refrain.store.StoredRecord;
import dev.refrain.testing.BackgroundCall;
import dev.refrain.testing.ScriptedStore;
import dev.refrain.testing.ScriptedStore.StoreMethod;
import dev.refrain.testing.SharedStoreFixture;
import dev.refrain.testing.ThreadGate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ClaimAcquirerTest {

    private static final Duration PATIENCE = Duration.ofSeconds(3);
    private static final Duration LEASE = Duration.ofSeconds(30);

    private final SharedStoreFixture world = new SharedStoreFixture();
    private final BatchedStoreClient storeClient =
            new BatchedStoreClient(world.store, world.environment, world.events, released -> {});
    private final ClaimAcquirer claimer =
            new ClaimAcquirer(storeClient, world.environment, new OriginCompleter("test", TraceIdSource.none()));

    private static FingerprintedCall ask(String body) {
        return ask(body, RequestFingerprinter.unkeyed());
    }

    private static FingerprintedCall ask(String body, RequestFingerprinter fingerprinter) {
        return TestCalls.fingerprinted(
                new ScopedKey(SharedStoreFixture.SCOPE, "pay", "k"), RequestContent.of("pay", body), fingerprinter);
    }

    private static ClaimAcquirer.ClaimTerms terms(LeaseExpiryPolicy takeOver) {
        return new ClaimAcquirer.ClaimTerms(LEASE, takeOver, Retention.of(Duration.ofHours(24)), PATIENCE);
    }

    private ClaimVerdict claim(String body) {
        return claimer.acquire(ask(body), terms(LeaseExpiryPolicy.RESUME));
    }

    private StoredRecord acquire(LeaseExpiryPolicy takeOver) {
        return ((ClaimVerdict.Acquired) claimer.acquire(ask("one euro"), terms(takeOver))).record();
    }

    private StoredRecord record() {
        return world.record("pay", "k").orElseThrow();
    }

    /** The record in each state, with its lease over where that can be. */
    private void bringTo(RecordState state) {
        var claim = acquire(LeaseExpiryPolicy.HOLD).claim();
        switch (state) {
            case IN_PROGRESS -> world.clock.advance(LEASE);
            case RELEASED -> world.memory.write(List.of(new RecordWrite.Release(claim)));
            case ATTENTION -> world.memory.write(List.of(new RecordWrite.Escalate(claim, "nobody knows")));
            case COMPLETED ->
                world.memory.write(List.of(new RecordWrite.Complete(claim, Optional.empty(), Optional.empty())));
        }
    }

    @ParameterizedTest
    @EnumSource(RecordState.class)
    void anotherRequestChangesNothingAndIsAMismatchInEveryState(RecordState state) {
        bringTo(state);
        var before = record();

        assertThat(claim("two euros")).isEqualTo(new ClaimVerdict.Mismatch(before.id()));
        assertThat(record()).isEqualTo(before);
    }

    @Test
    void releasedRecordIsClaimedWithTheSameIdAndTheNextFence() {
        bringTo(RecordState.RELEASED);
        var id = record().id();

        assertThat(claim("one euro")).isInstanceOfSatisfying(ClaimVerdict.Acquired.class, acquired -> {
            assertThat(acquired.record().id()).isEqualTo(id);
            assertThat(acquired.record().fence()).isEqualTo(2);
        });
    }

    @Test
    void heldClaimWhoseLeaseIsOverGoesToAttentionAndIsNeverAcquired() {
        bringTo(RecordState.IN_PROGRESS);

        assertThat(claim("one euro")).isInstanceOf(ClaimVerdict.Attention.class);
        assertThat(record().state()).isEqualTo(RecordState.ATTENTION);
    }

    @ParameterizedTest
    @EnumSource(
            value = RecordState.class,
            names = {"RELEASED", "IN_PROGRESS"})
    void recordMadeByAnotherRecipeIsClaimedByTheSameRequestAndByNoOther(RecordState state) {
        var claim = acquire(LeaseExpiryPolicy.RESUME).claim();
        if (state == RecordState.RELEASED) {
            world.memory.write(List.of(new RecordWrite.Release(claim)));
        } else {
            world.clock.advance(LEASE);
        }
        var keyed = RequestFingerprinter.builder().secret("s1", new byte[32]).build();

        assertThat(claimer.acquire(ask("two euros", keyed), terms(LeaseExpiryPolicy.RESUME)))
                .isInstanceOf(ClaimVerdict.Mismatch.class);
        assertThat(claimer.acquire(ask("one euro", keyed), terms(LeaseExpiryPolicy.RESUME)))
                .isInstanceOfSatisfying(
                        ClaimVerdict.Acquired.class,
                        a -> assertThat(a.record().fence()).isEqualTo(2));
        assertThat(record().fingerprint())
                .as("the record keeps the fingerprint it was made with")
                .contains(ask("one euro").fingerprint());
    }

    @Test
    void uncommittedTransactionalRunIsInProgress() {
        world.store.next(StoreMethod.CLAIM, (rows, call) -> List.of(new ClaimResponse.LockedByTransaction()));

        assertThat(claim("one euro")).isEqualTo(new ClaimVerdict.InProgress(Optional.empty()));
    }

    @Test
    void callerThatLosesEveryRaceIsInProgressAndStopsAsking() {
        var released = acquire(LeaseExpiryPolicy.RESUME);
        world.memory.write(List.of(new RecordWrite.Release(released.claim())));
        var seen = record();
        var nonces = new ArrayList<UUID>();
        Function<ClaimRequest, ClaimResponse> alwaysTooLate = request -> {
            nonces.add(request.nonce());
            return new ClaimResponse.Found(seen);
        };

        var result = claimer.acquire(ask("one euro"), terms(LeaseExpiryPolicy.RESUME), alwaysTooLate);

        assertThat(result).isEqualTo(new ClaimVerdict.InProgress(Optional.of(seen)));
        assertThat(nonces).hasSizeBetween(2, 16).doesNotHaveDuplicates();
    }

    @Test
    void raceThatIsLostOnceIsTriedAgain() {
        bringTo(RecordState.RELEASED);
        var seen = record();
        world.store.next(StoreMethod.CLAIM, (rows, call) -> List.of(new ClaimResponse.Found(seen)));

        assertThat(claim("one euro")).isInstanceOf(ClaimVerdict.Acquired.class);
    }

    @Test
    void unavailableStoreIsReportedAfterThePatienceAndNothingWasClaimed() {
        world.store.always(StoreMethod.CLAIM, ScriptedStore.away());
        var claiming = BackgroundCall.run(() -> claim("one euro"));

        advancing(world, Duration.ofMillis(50), claiming::isDone);

        assertThat((StoreException) claiming.failure())
                .satisfies(e -> assertThat(e.effect()).isEqualTo(Effect.NONE));
        assertThat(world.record("pay", "k")).isEmpty();
    }

    @Test
    void claimWhoseReplyWasLostForGoodIsGivenBackSinceNothingRanUnderIt() {
        world.store.next(StoreMethod.CLAIM, ScriptedStore.replyLost());
        world.store.always(StoreMethod.CLAIM, ScriptedStore.away());
        var claiming = BackgroundCall.run(() -> claimer.acquire(ask("one euro"), terms(LeaseExpiryPolicy.HOLD)));

        advancing(world, Duration.ofMillis(50), claiming::isDone);

        assertThat((StoreException) claiming.failure())
                .satisfies(e -> assertThat(e.effect()).isEqualTo(Effect.UNKNOWN));
        until(() -> record().state() == RecordState.RELEASED);
    }

    @Test
    void claimWhoseReplyWasLostAfterItsAskerHadGivenUpIsGivenBackToo() {
        var gate = new ThreadGate();
        world.store.next(StoreMethod.CLAIM, (rows, call) -> {
            gate.pass();
            return ScriptedStore.replyLost().apply(rows, call);
        });
        var claiming = BackgroundCall.run(() -> claimer.acquire(ask("one euro"), terms(LeaseExpiryPolicy.HOLD)));
        gate.awaitArrival();
        world.advance(PATIENCE.plusMillis(100));
        assertThat(claiming.failure()).isInstanceOf(StoreException.class);
        until(() -> !world.store.asked(StoreMethod.FIND).isEmpty());

        gate.open();

        until(() -> world.record("pay", "k").isPresent() && record().state() == RecordState.RELEASED);
    }

    @Test
    void givingBackWaitsForALockThatSomeoneHasOnTheRecord() {
        world.store.next(StoreMethod.CLAIM, ScriptedStore.replyLost());
        world.store.always(StoreMethod.CLAIM, ScriptedStore.away());
        world.store.next(StoreMethod.WRITE, (rows, call) -> {
            throw RowRejectedException.locked("locked", null);
        });
        var claiming = BackgroundCall.run(() -> claimer.acquire(ask("one euro"), terms(LeaseExpiryPolicy.HOLD)));

        advancing(world, Duration.ofMillis(50), claiming::isDone);
        claiming.failure();

        advancing(world, Duration.ofMillis(50), () -> record().state() == RecordState.RELEASED);
    }

    @Test
    void takeoverWhoseReplyWasLostForGoodIsGivenBackToo() {
        bringTo(RecordState.RELEASED);
        world.store.next(StoreMethod.CLAIM, ScriptedStore.replyLost());
        world.store.always(StoreMethod.CLAIM, ScriptedStore.away());
        var claiming = BackgroundCall.run(() -> claimer.acquire(ask("one euro"), terms(LeaseExpiryPolicy.HOLD)));
        until(() -> record().state() == RecordState.IN_PROGRESS);

        advancing(world, Duration.ofMillis(50), claiming::isDone);

        claiming.failure();
        until(() -> record().state() == RecordState.RELEASED);
        assertThat(record().fence()).isEqualTo(2);
    }

    @Test
    void givingBackAClaimOfOnesOwnNeverTouchesThatOfSomeoneElse() {
        var gate = new ThreadGate();
        world.store.next(StoreMethod.CLAIM, ScriptedStore.requestLost(), ScriptedStore.held(gate));
        var claiming = BackgroundCall.run(() -> claim("one euro"));
        advancing(world, Duration.ofMillis(5), gate::hasArrived);
        world.memory.claim(List.of(ClaimRequest.of(
                ask("one euro").identity(),
                ask("one euro").fingerprint(),
                UUID.randomUUID(),
                LEASE,
                LeaseExpiryPolicy.HOLD,
                Retention.FOREVER)));

        world.advance(PATIENCE);
        claiming.failure();
        until(() -> !world.store.asked(StoreMethod.FIND).isEmpty());
        gate.open();

        assertThat(record().state()).isEqualTo(RecordState.IN_PROGRESS);
        assertThat(world.store.asked(StoreMethod.WRITE)).isEmpty();
    }
}
