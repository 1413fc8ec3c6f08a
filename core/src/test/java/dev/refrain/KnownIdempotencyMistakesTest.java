package dev.refrain;

import static dev.refrain.testing.AwaitCondition.advancing;
import static dev.refrain.testing.SharedStoreFixture.SCOPE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.refrain.api.AnswerHeader;
import dev.refrain.api.ClaimRef;
import dev.refrain.api.InProgressException;
import dev.refrain.api.InvalidIdempotencyKeyException;
import dev.refrain.api.LeaseExpiryPolicy;
import dev.refrain.api.OperationResult;
import dev.refrain.api.Outcome;
import dev.refrain.api.OutcomeNotKeptException;
import dev.refrain.api.Payload;
import dev.refrain.api.RecoveryPoint;
import dev.refrain.api.RequestContent;
import dev.refrain.api.RequestMismatchException;
import dev.refrain.api.ScopedKey;
import dev.refrain.store.RecordState;
import dev.refrain.store.RecordWrite;
import dev.refrain.store.RecordWriteResponse;
import dev.refrain.store.RowRejectedException;
import dev.refrain.store.memory.MemoryStore;
import dev.refrain.testing.BackgroundCall;
import dev.refrain.testing.ManualEnvironment;
import dev.refrain.testing.ScriptedStore;
import dev.refrain.testing.ScriptedStore.StoreMethod;
import dev.refrain.testing.SharedStoreFixture;
import dev.refrain.testing.ThreadGate;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/**
 * Mistakes that published idempotency code makes, each with the test that would catch it here. One test for each line of
 * {@code peers.md} that the core can show.
 *
 * <p>Elsewhere: what is made of a body, a query, a stream or a map ({@code fingerprint.PeersMistakesTest}); everything under
 * "Databases", and that a replay leaves no dead rows ({@code stores/jdbc}; the clock that judges staleness in
 * {@code stores/contract}); everything under "Outbox" (with the relay).
 */
class KnownIdempotencyMistakesTest {

    private static final Duration LEASE = Duration.ofSeconds(30);

    final SharedStoreFixture world = new SharedStoreFixture();
    final Refrain refrain = world.process();
    final AtomicInteger effects = new AtomicInteger();
    final List<ThreadGate> gates = new ArrayList<>();

    @AfterEach
    void letEveryoneFinish() {
        gates.forEach(ThreadGate::open);
    }

    ThreadGate gate() {
        var gate = new ThreadGate();
        gates.add(gate);
        return gate;
    }

    LeasedOperation<String> pay() {
        return pay(refrain);
    }

    LeasedOperation<String> pay(Refrain process) {
        return process.operation("pay", String.class).leased(LeaseExpiryPolicy.RESUME);
    }

    String charge(LeasedOperation<String> pay) {
        return pay.run(
                OperationCall.scope(SCOPE).key("key-1").request("one euro"),
                claim -> "paid " + effects.incrementAndGet());
    }

    BackgroundCall<String> slow(LeasedOperation<String> pay, ThreadGate gate) {
        var slow = BackgroundCall.run(
                () -> pay.run(OperationCall.scope(SCOPE).key("key-1").request("one euro"), claim -> {
                    gate.pass();
                    return "paid " + effects.incrementAndGet();
                }));
        gate.awaitArrival();
        return slow;
    }

    /** A process whose own time stands still: to the store it is as good as dead. */
    Refrain stalling() {
        return world.process(world.settings().with(new ManualEnvironment()));
    }

    @Nested
    @DisplayName("Claims and fences")
    class Claims {

        @Test
        @DisplayName("a waiter whose patience ends deletes the live claim, and the next retry runs the work again")
        void waiterWhosePatienceEndsChangesNothing() {
            var gate = gate();
            var first = slow(pay(), gate);
            var waiting = refrain.operation("pay", String.class)
                    .waitWhileInFlight(Duration.ofSeconds(2))
                    .leased(LeaseExpiryPolicy.RESUME);
            var before = world.record("pay", "key-1").orElseThrow().claim();
            var waiter = BackgroundCall.run(() -> charge(waiting)).parked();

            advancing(world, Duration.ofMillis(100), waiter::isDone);

            assertThat(waiter.failure()).isInstanceOf(InProgressException.class);
            assertThat(world.record("pay", "key-1").orElseThrow().claim()).isEqualTo(before);
            assertThat(world.state("pay", "key-1")).isEqualTo(RecordState.IN_PROGRESS);
            assertThatThrownBy(() -> charge(pay())).isInstanceOf(InProgressException.class);
            gate.open();
            assertThat(first.get()).isEqualTo("paid 1");
            assertThat(effects).hasValue(1);
        }

        @Test
        @DisplayName(
                "complete, release and extend match on the key alone: a stalled runner ends the second one's claim")
        void everyWriteOfAStalledRunnerIsRefused() {
            var first = gate();
            slow(pay(stalling()), first);
            var stale = world.record("pay", "key-1").orElseThrow().claim();
            world.advance(LEASE);
            var second = gate();
            var taker = slow(pay(), second);
            var before = world.record("pay", "key-1").orElseThrow();

            for (var write : List.of(
                    new RecordWrite.Complete(stale, Optional.of(Payload.of(new byte[] {9})), Optional.empty()),
                    new RecordWrite.Release(stale),
                    new RecordWrite.Renew(stale, Duration.ofHours(9)),
                    new RecordWrite.Escalate(stale, "?"),
                    new RecordWrite.Checkpoint(
                            stale, RecoveryPoint.reached("step"), Optional.empty(), Optional.of(LEASE)))) {
                assertThat(world.store.write(List.of(write)).getFirst())
                        .isInstanceOf(RecordWriteResponse.Refused.class);
            }
            assertThat(world.record("pay", "key-1")).contains(before);
            second.open();
            assertThat(taker.get()).isEqualTo("paid 1");
        }

        @Test
        @DisplayName("`inserted ? empty : empty`: losing the insert race still means \"acquired\"")
        void loserOfInsertRaceDoesNotRun() {
            var gate = gate();
            world.store.next(StoreMethod.CLAIM, (rows, call) -> {
                // Between this process's decision to claim and its claim, another one's is made.
                var winner = BackgroundCall.run(() -> pay(world.process())
                        .run(OperationCall.scope(SCOPE).key("key-1").request("one euro"), claim -> {
                            gate.pass();
                            return "paid " + effects.incrementAndGet();
                        }));
                gate.awaitArrival();
                assertThat(winner.isDone()).isFalse();
                return call.get();
            });

            assertThatThrownBy(() -> charge(pay())).isInstanceOf(InProgressException.class);
            assertThat(effects).hasValue(0);
        }

        @Test
        @DisplayName("check, then set, without one atomic step; a duplicate in flight gets null as a success")
        void oneOfManyConcurrentCallsRunsAndNoDuplicateGetsAnEmptySuccess() {
            var store = new MemoryStore();
            try (var here = Refrain.using(store);
                    var there = Refrain.using(store)) {
                var all = new ArrayList<BackgroundCall<OperationResult>>();
                for (var process : List.of(here, there)) {
                    all.addAll(BackgroundCall.run(
                            200,
                            () -> pay(process)
                                    .runForResult(
                                            OperationCall.scope(SCOPE)
                                                    .key("key-1")
                                                    .request("one euro"),
                                            claim -> "paid " + effects.incrementAndGet())));
                }
                assertThat(all.stream()
                                .map(BackgroundCall::get)
                                .map(OperationResult::getClass)
                                .distinct())
                        .isSubsetOf(
                                OperationResult.Ran.class,
                                OperationResult.Replayed.class,
                                OperationResult.InProgress.class);
                assertThat(all.stream().map(BackgroundCall::get).filter(OperationResult.Ran.class::isInstance))
                        .hasSize(1);
            }
            assertThat(effects).hasValue(1);
        }

        @Test
        @DisplayName("a losing executor is not stopped: both go on, with different results")
        void twoExecutorsOfOneKeyEndWithOneResult() {
            var first = gate();
            var loser = slow(pay(stalling()), first);
            world.advance(LEASE);
            assertThat(pay().run(OperationCall.scope(SCOPE).key("key-1").request("one euro"), claim -> "the winner's"))
                    .isEqualTo("the winner's");

            first.open();

            assertThat(loser.get()).isEqualTo("the winner's");
            assertThat(charge(pay())).isEqualTo("the winner's");
        }

        @Test
        @DisplayName(
                "recovery picks up what a default executor id \"local\" left, and re-runs what another replica runs")
        void processThatStartsLeavesAloneWhatAnotherOneRuns() {
            var gate = gate();
            var running = slow(pay(), gate);
            var before = world.record("pay", "key-1").orElseThrow().claim();

            var restarted = world.process();
            world.advance(Duration.ofSeconds(16));

            assertThatThrownBy(() -> charge(pay(restarted))).isInstanceOf(InProgressException.class);
            assertThat(world.record("pay", "key-1").orElseThrow().claim()).isEqualTo(before);
            gate.open();
            assertThat(running.get()).isEqualTo("paid 1");
        }

        @Test
        @DisplayName("the lock lives as long as the cache: a crash means 409 for 24 hours")
        void crashDelaysARetryByTheLeaseAndNotByTheRetention() {
            slow(pay(stalling()), gate());

            world.advance(LEASE);

            assertThat(charge(pay())).isEqualTo("paid 1");
        }

        @Test
        @DisplayName("no lifetime of the lock at all: 409 for ever, also after the response itself expired")
        void nothingIsStuckHoweverItWasLeft() {
            slow(pay(stalling()), gate());
            world.clock.advance(Duration.ofDays(400));
            assertThat(charge(pay())).isEqualTo("paid 1");

            world.clock.advance(Duration.ofDays(400));
            assertThat(charge(pay())).isEqualTo("paid 2");
        }

        @Test
        @DisplayName("the delete of an expired record races a fresh insert and removes it")
        void recordClaimedAnewAfterExpiryIsNotReaped() {
            charge(pay());
            world.clock.advance(Duration.ofHours(25));
            var gate = gate();
            var fresh = slow(pay(), gate);

            assertThat(world.memory.reap(100)).isZero();

            assertThat(world.state("pay", "key-1")).isEqualTo(RecordState.IN_PROGRESS);
            gate.open();
            assertThat(fresh.get()).isEqualTo("paid 2");
            assertThat(world.memory.reap(100)).isZero();
            assertThat(charge(pay())).isEqualTo("paid 2");
        }
    }

    @Nested
    @DisplayName("After the work")
    class AfterTheWork {

        @Test
        @DisplayName("the work succeeded, encoding failed: the key is removed, so a retry runs it again")
        void valueThatCannotBeEncodedDoesNotFreeTheKey() {
            record Cyclic(List<Object> self) {}
            var cyclic = new Cyclic(new ArrayList<>());
            cyclic.self().add(cyclic.self());
            var odd = refrain.operation("pay", Cyclic.class).leased(LeaseExpiryPolicy.RESUME);
            LeasedWork<Cyclic, RuntimeException> work = claim -> {
                effects.incrementAndGet();
                return cyclic;
            };

            assertThat(odd.run(OperationCall.scope(SCOPE).key("key-1").request("x"), work)
                            .self())
                    .hasSize(1);
            assertThatThrownBy(() ->
                            odd.run(OperationCall.scope(SCOPE).key("key-1").request("x"), work))
                    .isInstanceOf(OutcomeNotKeptException.class);
            assertThat(effects).hasValue(1);
        }

        @Test
        @DisplayName("the work succeeded, the store was down: the key is removed, so a retry runs it again")
        void storeThatIsDownForAWhileDoesNotFreeTheKey() {
            world.store.always(StoreMethod.WRITE, ScriptedStore.away());
            var first = BackgroundCall.run(() -> charge(pay()));
            advancing(
                    world,
                    Duration.ofMillis(100),
                    () -> world.store.asked(StoreMethod.WRITE).size() > 5);
            assertThatThrownBy(() -> charge(pay())).isInstanceOf(InProgressException.class);

            world.store.heal();
            advancing(world, Duration.ofMillis(100), first::isDone);

            assertThat(first.get()).isEqualTo("paid 1");
            assertThat(charge(pay())).isEqualTo("paid 1");
        }

        @Test
        @DisplayName("the work succeeded, the store could not hold the answer: the key is removed")
        void answerThatCannotBeStoredDoesNotFreeTheKey() {
            world.store.next(StoreMethod.WRITE, (rows, call) -> {
                throw RowRejectedException.badData("cannot be stored", null);
            });

            assertThat(charge(pay())).isEqualTo("paid 1");
            assertThatThrownBy(() -> charge(pay())).isInstanceOf(OutcomeNotKeptException.class);
        }

        @Test
        @DisplayName("saving uses the request's cancellation: a client that hangs up frees the claim")
        void callerThatIsInterruptedWhileSavingChangesNothing() {
            var gate = gate();
            world.store.next(StoreMethod.WRITE, ScriptedStore.held(gate));
            var first = BackgroundCall.run(() -> charge(pay()));
            gate.awaitArrival();

            first.interrupt();
            first.parked();
            gate.open();

            assertThat(first.get()).isEqualTo("paid 1");
            assertThat(charge(pay())).isEqualTo("paid 1");
        }

        @Test
        @DisplayName("the answer goes to the client before it is stored")
        void nobodyIsAnsweredBeforeItIsStored() {
            var gate = gate();
            world.store.next(StoreMethod.WRITE, ScriptedStore.replyHeld(gate));
            var first = BackgroundCall.run(() -> charge(pay()));
            gate.awaitArrival();

            first.parked();
            assertThat(world.state("pay", "key-1")).isEqualTo(RecordState.COMPLETED);
            gate.open();

            assertThat(first.get()).isEqualTo("paid 1");
        }

        @Test
        @DisplayName("an answer over the size limit frees the key")
        void answerOverTheLimitCompletesTheRecord() {
            var small = refrain.operation("pay").maxOutcomeBytes(10).leased(LeaseExpiryPolicy.RESUME);
            LeasedWork<Outcome.Answer, RuntimeException> work = claim -> {
                effects.incrementAndGet();
                return Outcome.Answer.of(200, new byte[1_000]);
            };

            small.run(OperationCall.scope(SCOPE).key("key-1").request("x"), work);
            assertThatThrownBy(() ->
                            small.run(OperationCall.scope(SCOPE).key("key-1").request("x"), work))
                    .isInstanceOf(OutcomeNotKeptException.class);
            assertThat(effects).hasValue(1);
        }

        @Test
        @DisplayName("an empty body (204) reads as \"nothing stored\": the handler runs again")
        void emptyAnswerIsAnOutcomeLikeAnyOther() {
            var raw = refrain.operation("pay").leased(LeaseExpiryPolicy.RESUME);
            for (int i = 0; i < 3; i++) {
                assertThat(raw.run(OperationCall.scope(SCOPE).key("key-1").request("x"), claim -> {
                            effects.incrementAndGet();
                            return Outcome.Answer.of(204, new byte[0]);
                        }))
                        .isEqualTo(Outcome.Answer.of(204, new byte[0]));
            }
            assertThat(effects).hasValue(1);
        }

        @Test
        @DisplayName("the reaper deletes unfinished keys too")
        void unfinishedRecordIsNeverReaped() {
            var gate = gate();
            slow(pay(stalling()), gate);
            world.clock.advance(Duration.ofDays(400));

            assertThat(world.memory.reap(100)).isZero();
            assertThat(world.state("pay", "key-1")).isEqualTo(RecordState.IN_PROGRESS);
        }
    }

    @Nested
    @DisplayName("Fingerprints and scope")
    class FingerprintsAndScope {

        private RequestContent post(String path) {
            return RequestContent.http(
                    "POST", path, "", "application/json", "{\"eur\":1}".getBytes(StandardCharsets.UTF_8));
        }

        @Test
        @DisplayName("body only, so the same key and body on another endpoint replays the wrong answer")
        void sameKeyAndBodyOnAnotherRouteIsAMismatch() {
            var api = refrain.operation("api", String.class).leased(LeaseExpiryPolicy.RESUME);
            api.run(OperationCall.scope(SCOPE).key("key-1").request(post("/payments")), claim -> "a payment");

            assertThatThrownBy(() -> api.run(
                            OperationCall.scope(SCOPE).key("key-1").request(post("/refunds")), claim -> "a refund"))
                    .isInstanceOf(RequestMismatchException.class);
        }

        @Test
        @DisplayName("a different body becomes a different lookup key, so a reused key runs twice")
        void reusedKeyWithAnotherBodyDoesNotRun() {
            charge(pay());

            assertThatThrownBy(() -> pay().run(
                                    OperationCall.scope(SCOPE).key("key-1").request("two euros"),
                                    claim -> "paid " + effects.incrementAndGet()))
                    .isInstanceOf(RequestMismatchException.class);
            assertThat(effects).hasValue(1);
        }

        @Test
        @DisplayName("a different key with the same body is refused: two honest orders of the same thing are blocked")
        void twoKeysWithTheSameBodyAreTwoOrders() {
            charge(pay());

            assertThat(pay().run(
                                    OperationCall.scope(SCOPE).key("key-2").request("one euro"),
                                    claim -> "paid " + effects.incrementAndGet()))
                    .isEqualTo("paid 2");
        }

        @Test
        @DisplayName("keys global to the service: tenants collide")
        void tenantsWithTheSameKeyNeverMeet() {
            var one =
                    pay().run(OperationCall.scope("tenant 1").key("key-1").request("one euro"), claim -> "of tenant 1");
            var two = pay().run(
                            OperationCall.scope("tenant 2").key("key-1").request("two euros"), claim -> "of tenant 2");

            assertThat(List.of(one, two)).containsExactly("of tenant 1", "of tenant 2");
            assertThat(pay().run(OperationCall.scope("tenant 1").key("key-1").request("one euro"), claim -> "?"))
                    .isEqualTo("of tenant 1");
        }

        @Test
        @DisplayName("a null key falls back to the bare URI")
        void withoutAKeyNothingRunsAndNothingIsStored() {
            assertThatThrownBy(
                            () -> pay().run(OperationCall.scope(SCOPE).key(null).request("one euro"), claim -> "ran"))
                    .isInstanceOf(NullPointerException.class);
            assertThatThrownBy(
                            () -> pay().run(OperationCall.scope(SCOPE).key("").request("one euro"), claim -> "ran"))
                    .isInstanceOf(InvalidIdempotencyKeyException.class);
            assertThat(world.store.asked(StoreMethod.CLAIM)).isEmpty();
        }

        @Test
        @DisplayName("a mismatch while the first is in flight answers \"in progress\"")
        void mismatchInFlightIsAMismatch() {
            slow(pay(), gate());

            assertThatThrownBy(() ->
                            pay().run(OperationCall.scope(SCOPE).key("key-1").request("two euros"), claim -> "ran"))
                    .isInstanceOf(RequestMismatchException.class);
        }
    }

    @Nested
    @DisplayName("Replay")
    class Replays {

        @Test
        @DisplayName("406 comes back as 200, Location is lost, text decoding ruins binary answers, objects are stored")
        void replayIsByteIdentical() {
            var raw = refrain.operation("pay").leased(LeaseExpiryPolicy.RESUME);
            byte[] notText = {(byte) 0xC3, 0x28, 0, (byte) 0xFF};
            var answer = new Outcome.Answer(
                    406, List.of(new AnswerHeader("Location", "/payments/1")), Payload.of(notText.clone()));
            raw.run(OperationCall.scope(SCOPE).key("key-1").request("x"), claim -> answer);

            var replayed = replay(world.process());

            assertThat(replayed.status()).isEqualTo(406);
            assertThat(replayed.header("location")).contains("/payments/1");
            assertThat(replayed.body().bytes()).isEqualTo(notText);
        }

        private Outcome.Answer replay(Refrain process) {
            return process.operation("pay")
                    .leased(LeaseExpiryPolicy.RESUME)
                    .run(OperationCall.scope(SCOPE).key("key-1").request("x"), claim -> {
                        throw new AssertionError("must not run");
                    });
        }

        @Test
        @DisplayName("a replay writes to the database, on the hot path")
        void replayChangesNothingInTheStore() {
            charge(pay());
            int written = world.store.asked(StoreMethod.WRITE).size();
            var before = world.record("pay", "key-1");

            for (int i = 0; i < 10; i++) {
                charge(pay());
            }

            assertThat(world.store.asked(StoreMethod.WRITE)).hasSize(written);
            assertThat(world.record("pay", "key-1")).isEqualTo(before);
        }
    }

    @Test
    @DisplayName("an application clock or the time of creation judges staleness: something old and running looks dead")
    void oldRunningClaimIsNotDeadAndOnlyTheStoresClockCounts() {
        var gate = gate();
        var running = slow(pay(), gate);
        var hastyClock = new ManualEnvironment();
        var hasty = world.process(world.settings().with(hastyClock));
        hastyClock.advance(Duration.ofDays(1));
        for (int i = 0; i < 300; i++) {
            world.advance(Duration.ofSeconds(1));
            advancing(
                    world,
                    Duration.ofMillis(1),
                    () -> !world.record("pay", "key-1").orElseThrow().isLeaseExpired());
        }

        assertThatThrownBy(() -> charge(pay(hasty))).isInstanceOf(InProgressException.class);
        gate.open();
        assertThat(running.get()).isEqualTo("paid 1");
        assertThat(world.record("pay", "key-1").orElseThrow().claim())
                .isEqualTo(new ClaimRef(
                        new ScopedKey(SCOPE, "pay", "key-1").hash(),
                        world.record("pay", "key-1").orElseThrow().id(),
                        1));
    }
}
