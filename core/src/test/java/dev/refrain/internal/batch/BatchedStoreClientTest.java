package dev.refrain.internal.batch;

import static dev.refrain.testing.AwaitCondition.advancing;
import static dev.refrain.testing.AwaitCondition.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.refrain.RequestFingerprinter;
import dev.refrain.api.ClaimRef;
import dev.refrain.api.KeyHash;
import dev.refrain.api.LeaseExpiryPolicy;
import dev.refrain.api.Outcome;
import dev.refrain.api.Payload;
import dev.refrain.api.RecordId;
import dev.refrain.api.RequestContent;
import dev.refrain.api.Retention;
import dev.refrain.api.ScopedKey;
import dev.refrain.store.ClaimOrigin;
import dev.refrain.store.ClaimRequest;
import dev.refrain.store.ClaimResponse;
import dev.refrain.store.Fingerprint;
import dev.refrain.store.OutcomeFormat;
import dev.refrain.store.RecordState;
import dev.refrain.store.RecordWrite;
import dev.refrain.store.RecordWriteResponse;
import dev.refrain.store.StoreException;
import dev.refrain.store.StoreOverloadedException;
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
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The client of a real store: what becomes of claims, writes and reads. */
class BatchedStoreClientTest {

    private static final Duration PATIENCE = Duration.ofSeconds(3);
    private static final Duration LEASE = Duration.ofSeconds(30);

    private final SharedStoreFixture world = new SharedStoreFixture();
    private final List<KeyHash> released = new CopyOnWriteArrayList<>();
    private final BatchedStoreClient storeClient =
            new BatchedStoreClient(world.store, world.environment, world.events, released::add);

    private static ScopedKey identity(String key) {
        return new ScopedKey(SharedStoreFixture.SCOPE, "pay", key);
    }

    private ClaimRequest wish(String key, String body) {
        Fingerprint fingerprint = RequestFingerprinter.unkeyed().of(RequestContent.of("pay", body));
        return ClaimRequest.of(
                identity(key),
                fingerprint,
                world.environment.newNonce(),
                LEASE,
                LeaseExpiryPolicy.RESUME,
                Retention.of(Duration.ofHours(24)));
    }

    private BackgroundCall<ClaimResponse> claiming(ClaimRequest wish) {
        return BackgroundCall.run(() -> storeClient.claim(wish, PATIENCE)).parked();
    }

    private static Payload outcome(String body) {
        return OutcomeFormat.encode(Outcome.Answer.of(200, body.getBytes(java.nio.charset.StandardCharsets.UTF_8)));
    }

    @Test
    void oneOfTheTwinsInABatchAcquiresAndTheOthersFindItRunning() {
        var gate = new ThreadGate();
        world.store.next(StoreMethod.CLAIM, ScriptedStore.held(gate));
        var lone = claiming(wish("other", "x"));
        gate.awaitArrival();
        var twins =
                IntStream.range(0, 20).mapToObj(i -> claiming(wish("k", "x"))).toList();
        gate.open();
        lone.get();

        var answers = twins.stream().map(BackgroundCall::get).toList();
        assertThat(answers).filteredOn(a -> a instanceof ClaimResponse.Acquired).hasSize(1);
        var acquired = ((ClaimResponse.Acquired) answers.getFirst()).record();
        assertThat(answers.subList(1, 20))
                .allSatisfy(a -> assertThat(a).isInstanceOfSatisfying(ClaimResponse.Found.class, found -> {
                    assertThat(found.record().id()).isEqualTo(acquired.id());
                    assertThat(found.record().state()).isEqualTo(RecordState.IN_PROGRESS);
                }));
        assertThat(world.store.asked(StoreMethod.CLAIM).get(1)).hasSize(1);
    }

    @Test
    void unlikeTwinInOneBatchIsGivenWhatItNeedsToSeeThatItIsUnlike() {
        var gate = new ThreadGate();
        world.store.next(StoreMethod.CLAIM, ScriptedStore.held(gate));
        var lone = claiming(wish("other", "x"));
        gate.awaitArrival();
        var first = wish("k", "one euro");
        claiming(first);
        var unlike = claiming(wish("k", "two euros"));
        gate.open();
        lone.get();

        assertThat(unlike.get())
                .isInstanceOfSatisfying(
                        ClaimResponse.Found.class,
                        found -> assertThat(found.record().fingerprint()).contains(first.fingerprint()));
    }

    @Test
    void readThatWouldBeAnsweredTooLateIsNotSentWhileOthersWait() {
        var slow = Duration.ofMillis(500);
        var gate = new ThreadGate();
        world.store.next(
                StoreMethod.FIND,
                (rows, call) -> {
                    world.environment.advance(slow);
                    return call.get();
                },
                ScriptedStore.held(gate));
        storeClient.find(identity("first"), PATIENCE);
        var inFlight = BackgroundCall.run(() -> storeClient.find(identity("in flight"), PATIENCE))
                .parked();
        gate.awaitArrival();
        var hasty = BackgroundCall.run(() -> storeClient.find(identity("hasty"), slow.dividedBy(2)))
                .parked();
        var patient = BackgroundCall.run(() -> storeClient.find(identity("patient"), PATIENCE))
                .parked();

        gate.open();

        assertThat(hasty.failure()).isInstanceOf(StoreOverloadedException.class);
        assertThat(inFlight.get()).isEmpty();
        assertThat(patient.get()).isEmpty();
        assertThat(world.store.asked(StoreMethod.FIND)).noneMatch(batch -> batch.contains(identity("hasty")));
    }

    @Test
    void lostReplyIsAskedAgainUnderTheSameNonceAndFindsItsOwnClaim() {
        world.store.next(StoreMethod.CLAIM, ScriptedStore.replyLost());
        var wish = wish("k", "x");
        var claiming = claiming(wish);

        advancing(world, Duration.ofMillis(5), claiming::isDone);

        assertThat(claiming.get()).isInstanceOfSatisfying(ClaimResponse.Acquired.class, acquired -> {
            assertThat(acquired.record().id().value()).isEqualTo(wish.nonce());
            assertThat(acquired.record().fence()).isEqualTo(1);
        });
        assertThat(world.store.asked(StoreMethod.CLAIM))
                .hasSize(2)
                .allSatisfy(batch -> assertThat(batch)
                        .extracting(row -> ((ClaimRequest) row).nonce())
                        .isEqualTo(List.of(wish.nonce())));
    }

    @Test
    void completionWhoseReplyWasLostIsAskedAgainAndCountsOnce() {
        var acquired = (ClaimResponse.Acquired) storeClient.claim(wish("k", "x"), PATIENCE);
        world.store.next(StoreMethod.WRITE, ScriptedStore.replyLost());
        var done = new RecordWrite.Complete(acquired.record().claim(), Optional.of(outcome("paid")), Optional.empty());
        var completing = BackgroundCall.run(() -> storeClient.write(SharedStoreFixture.SCOPE, done, PATIENCE))
                .parked();

        advancing(world, Duration.ofMillis(5), completing::isDone);

        assertThat(completing.get()).isInstanceOf(RecordWriteResponse.Written.class);
        assertThat(world.record("pay", "k").orElseThrow().outcome()).contains(outcome("paid"));
    }

    @Test
    void writesOfScopesAreSentInTurn() {
        var gate = new ThreadGate();
        world.store.next(StoreMethod.WRITE, ScriptedStore.held(gate));
        var writing = new ArrayList<BackgroundCall<RecordWriteResponse>>();
        writing.add(releasing("flood", 0));
        gate.awaitArrival();
        int twoBatches = 2 * world.store.traits().limits().batchRows();
        IntStream.rangeClosed(1, twoBatches).forEach(row -> writing.add(releasing("flood", row)));
        writing.add(releasing("other", twoBatches + 1));
        gate.open();
        writing.forEach(BackgroundCall::get);

        assertThat(world.store.asked(StoreMethod.WRITE).get(1))
                .as("the batch after the one in flight")
                .anyMatch(write -> ((RecordWrite) write).claim().lookup().equals(lookup(twoBatches + 1)));
    }

    private BackgroundCall<RecordWriteResponse> releasing(String scope, int row) {
        var nobody = new ClaimRef(lookup(row), new RecordId(new UUID(0, row)), 1);
        return BackgroundCall.run(() -> storeClient.write(scope, new RecordWrite.Release(nobody), PATIENCE))
                .parked();
    }

    private static KeyHash lookup(int row) {
        return new KeyHash(row, 0);
    }

    @Test
    void claimAcquiredAfterItsCallerGaveUpIsReleasedAndReported() {
        var gate = new ThreadGate();
        world.store.next(StoreMethod.CLAIM, ScriptedStore.held(gate));
        var claiming = claiming(wish("k", "x"));
        gate.awaitArrival();
        world.advance(PATIENCE.plusMillis(100));
        assertThat(claiming.failure()).isInstanceOf(StoreException.class);

        gate.open();

        until(() -> released.contains(identity("k").hash()));
        assertThat(world.record("pay", "k").orElseThrow().state()).isEqualTo(RecordState.RELEASED);
    }

    /** As if a server that was frozen had made the claim once it went on, long after its caller was told that nothing ran. */
    @Test
    void claimMadeAfterASilenceLongerThanItsLeaseIsReleased() {
        var late = wish("k", "x");
        world.store.always(StoreMethod.FIND, ScriptedStore.away());
        storeClient.releaseLater(late);
        var silentUntil = world.clock.instant().plus(LEASE.multipliedBy(3));
        advancing(world, Duration.ofSeconds(1), () -> world.clock.instant().isAfter(silentUntil));
        world.store.heal();
        world.memory.claim(List.of(late));

        advancing(
                world,
                Duration.ofMillis(100),
                () -> released.contains(identity("k").hash()));
        assertThat(world.record("pay", "k").orElseThrow().state()).isEqualTo(RecordState.RELEASED);
    }

    @Test
    void pendingCleanupIsAwaitedButNotForEver() {
        var gate = new ThreadGate();
        storeClient.runInBackground(gate::pass);
        gate.awaitArrival();
        var waiting = BackgroundCall.run(() -> storeClient.awaitBackgroundTasks(Duration.ofSeconds(1)))
                .parked();
        world.environment.advance(Duration.ofSeconds(2));
        assertThat(waiting.get()).isFalse();

        gate.open();
        await().until(() -> storeClient.awaitBackgroundTasks(Duration.ZERO));
    }

    @Test
    void writesUnderDifferentFencesAreNeverFoldedAndEachIsJudgedByItsOwn() {
        var first = ((ClaimResponse.Acquired) storeClient.claim(wish("k", "x"), PATIENCE)).record();
        world.clock.advance(LEASE.plusSeconds(1));
        var second = ((ClaimResponse.Acquired) storeClient.claim(wish("k", "x"), PATIENCE)).record();
        assertThat(second.fence()).isEqualTo(2);

        var gate = new ThreadGate();
        world.store.next(StoreMethod.WRITE, ScriptedStore.held(gate));
        var elsewhere = BackgroundCall.run(() -> storeClient.write(
                SharedStoreFixture.SCOPE,
                new RecordWrite.Release(new ClaimRef(identity("z").hash(), first.id(), 1)),
                PATIENCE));
        gate.awaitArrival();
        var late = BackgroundCall.run(() -> storeClient.write(
                        SharedStoreFixture.SCOPE,
                        new RecordWrite.Complete(first.claim(), Optional.of(outcome("stale")), Optional.empty()),
                        PATIENCE))
                .parked();
        var own = BackgroundCall.run(() -> storeClient.write(
                        SharedStoreFixture.SCOPE,
                        new RecordWrite.Complete(second.claim(), Optional.of(outcome("right")), Optional.empty()),
                        PATIENCE))
                .parked();
        gate.open();
        elsewhere.get();

        assertThat(late.get()).isInstanceOf(RecordWriteResponse.Refused.class);
        assertThat(own.get()).isInstanceOf(RecordWriteResponse.Written.class);
        assertThat(world.record("pay", "k").orElseThrow().outcome()).contains(outcome("right"));
    }

    @Test
    void sameWriteAskedTwiceIsSentOnce() {
        var claim = ((ClaimResponse.Acquired) storeClient.claim(wish("k", "x"), PATIENCE)).record();
        var gate = new ThreadGate();
        world.store.next(StoreMethod.WRITE, ScriptedStore.held(gate));
        var elsewhere = BackgroundCall.run(() -> storeClient.write(
                SharedStoreFixture.SCOPE,
                new RecordWrite.Release(new ClaimRef(identity("z").hash(), claim.id(), 1)),
                PATIENCE));
        gate.awaitArrival();
        var twice = IntStream.range(0, 2)
                .mapToObj(i -> BackgroundCall.run(() -> storeClient.write(
                                SharedStoreFixture.SCOPE, new RecordWrite.Release(claim.claim()), PATIENCE))
                        .parked())
                .toList();
        gate.open();
        elsewhere.get();

        assertThat(twice.stream().map(BackgroundCall::get)).allMatch(a -> a instanceof RecordWriteResponse.Written);
        assertThat(world.store.asked(StoreMethod.WRITE)).hasSize(2);
    }

    @Test
    void readsOfOneRecordShareOneRow() {
        storeClient.claim(wish("k", "x"), PATIENCE);
        var gate = new ThreadGate();
        world.store.next(StoreMethod.FIND, ScriptedStore.held(gate));
        var lone = BackgroundCall.run(() -> storeClient.find(identity("z"), PATIENCE));
        gate.awaitArrival();
        var readers = IntStream.range(0, 50)
                .mapToObj(i -> BackgroundCall.run(() -> storeClient.find(identity("k"), PATIENCE))
                        .parked())
                .toList();
        gate.open();
        lone.get();

        assertThat(readers.stream().map(BackgroundCall::get)).allMatch(Optional::isPresent);
        assertThat(world.store.asked(StoreMethod.FIND).get(1)).hasSize(1);
    }

    @Test
    void claimsWritesRenewalsAndReadsDoNotWaitBehindEachOther() {
        var claim = ((ClaimResponse.Acquired) storeClient.claim(wish("k", "x"), PATIENCE)).record();
        var gate = new ThreadGate();
        world.store.next(StoreMethod.CLAIM, ScriptedStore.held(gate));
        var stuck = claiming(wish("other", "x"));
        gate.awaitArrival();

        assertThat(storeClient.renew(new RecordWrite.Renew(claim.claim(), LEASE), PATIENCE))
                .isInstanceOf(RecordWriteResponse.Written.class);
        assertThat(storeClient.find(identity("k"), PATIENCE)).isPresent();
        assertThat(storeClient.write(SharedStoreFixture.SCOPE, new RecordWrite.Release(claim.claim()), PATIENCE))
                .isInstanceOf(RecordWriteResponse.Written.class);

        gate.open();
        stuck.get();
    }

    @Test
    void rowWhoseLookupAnotherIdentityHasFailsAlone() {
        var taken = wish("k", "x");
        storeClient.claim(taken, PATIENCE);
        var gate = new ThreadGate();
        world.store.next(StoreMethod.CLAIM, ScriptedStore.held(gate));
        var lone = claiming(wish("lone", "x"));
        gate.awaitArrival();
        var colliding = new ClaimRequest(
                identity("another"),
                taken.lookup(),
                taken.fingerprint(),
                UUID.randomUUID(),
                LEASE,
                LeaseExpiryPolicy.RESUME,
                Retention.FOREVER,
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                ClaimOrigin.UNKNOWN);
        var guilty = claiming(colliding);
        var innocent = IntStream.range(0, 9)
                .mapToObj(i -> claiming(wish("i" + i, "x")))
                .toList();
        gate.open();
        lone.get();

        assertThat(guilty.failure()).hasMessageContaining("Another identity");
        assertThat(innocent.stream().map(BackgroundCall::get)).allMatch(a -> a instanceof ClaimResponse.Acquired);
    }
}
