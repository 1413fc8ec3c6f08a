package dev.refrain;

import static dev.refrain.testing.Until.advancing;
import static dev.refrain.testing.World.SCOPE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.refrain.fingerprint.Request;
import dev.refrain.key.Identity;
import dev.refrain.key.InvalidKeyException;
import dev.refrain.outcome.Header;
import dev.refrain.outcome.Outcome;
import dev.refrain.outcome.Payload;
import dev.refrain.run.RunResult;
import dev.refrain.store.ClaimRef;
import dev.refrain.store.RowRejectedException;
import dev.refrain.store.State;
import dev.refrain.store.TakeOver;
import dev.refrain.store.Write;
import dev.refrain.store.WriteAnswer;
import dev.refrain.store.memory.MemoryStore;
import dev.refrain.testing.Background;
import dev.refrain.testing.Gate;
import dev.refrain.testing.ManualEnvironment;
import dev.refrain.testing.ScriptedStore;
import dev.refrain.testing.ScriptedStore.Verb;
import dev.refrain.testing.World;
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
class PeersTest {

    private static final Duration LEASE = Duration.ofSeconds(30);

    final World world = new World();
    final Refrain refrain = world.process();
    final AtomicInteger effects = new AtomicInteger();
    final List<Gate> gates = new ArrayList<>();

    @AfterEach
    void letEveryoneFinish() {
        gates.forEach(Gate::open);
    }

    Gate gate() {
        var gate = new Gate();
        gates.add(gate);
        return gate;
    }

    Leased<String> pay() {
        return pay(refrain);
    }

    Leased<String> pay(Refrain process) {
        return process.operation("pay", String.class).leased(TakeOver.RESUME);
    }

    String charge(Leased<String> pay) {
        return pay.run(SCOPE, "key-1", "one euro", claim -> "paid " + effects.incrementAndGet());
    }

    Background<String> slow(Leased<String> pay, Gate gate) {
        var slow = Background.run(() -> pay.run(SCOPE, "key-1", "one euro", claim -> {
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
        void a_waiter_whose_patience_ends_changes_nothing() {
            var gate = gate();
            var first = slow(pay(), gate);
            var waiting = refrain.operation("pay", String.class)
                    .waitForOutcome(Duration.ofSeconds(2))
                    .leased(TakeOver.RESUME);
            var before = world.record("pay", "key-1").orElseThrow().claim();
            var waiter = Background.run(() -> charge(waiting)).parked();

            advancing(world, Duration.ofMillis(100), waiter::isDone);

            assertThat(waiter.failure()).isInstanceOf(InProgressException.class);
            assertThat(world.record("pay", "key-1").orElseThrow().claim()).isEqualTo(before);
            assertThat(world.state("pay", "key-1")).isEqualTo(State.IN_PROGRESS);
            assertThatThrownBy(() -> charge(pay())).isInstanceOf(InProgressException.class);
            gate.open();
            assertThat(first.get()).isEqualTo("paid 1");
            assertThat(effects).hasValue(1);
        }

        @Test
        @DisplayName(
                "complete, release and extend match on the key alone: a stalled runner ends the second one's claim")
        void every_write_of_a_stalled_runner_is_refused() {
            var first = gate();
            slow(pay(stalling()), first);
            var stale = world.record("pay", "key-1").orElseThrow().claim();
            world.advance(LEASE);
            var second = gate();
            var taker = slow(pay(), second);
            var before = world.record("pay", "key-1").orElseThrow();

            for (var write : List.of(
                    new Write.Complete(stale, Optional.of(Payload.of(new byte[] {9})), Optional.empty()),
                    new Write.Release(stale),
                    new Write.Renew(stale, Duration.ofHours(9)),
                    new Write.Escalate(stale, "?"),
                    new Write.Checkpoint(stale, "step", Optional.empty(), Optional.of(LEASE)))) {
                assertThat(world.store.write(List.of(write)).getFirst()).isInstanceOf(WriteAnswer.Refused.class);
            }
            assertThat(world.record("pay", "key-1")).contains(before);
            second.open();
            assertThat(taker.get()).isEqualTo("paid 1");
        }

        @Test
        @DisplayName("`inserted ? empty : empty`: losing the insert race still means \"acquired\"")
        void who_loses_the_insert_race_does_not_run() {
            var gate = gate();
            world.store.next(Verb.CLAIM, (rows, call) -> {
                // Between this process's decision to claim and its claim, another one's is made.
                var winner = Background.run(() -> pay(world.process()).run(SCOPE, "key-1", "one euro", claim -> {
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
        void of_many_at_once_one_runs_and_no_duplicate_is_given_a_success_of_nothing() {
            var store = new MemoryStore();
            try (var here = Refrain.using(store);
                    var there = Refrain.using(store)) {
                var all = new ArrayList<Background<RunResult>>();
                for (var process : List.of(here, there)) {
                    all.addAll(Background.run(
                            200,
                            () -> pay(process)
                                    .runForResult(
                                            Call.of(SCOPE, "key-1", "one euro"),
                                            claim -> "paid " + effects.incrementAndGet())));
                }
                assertThat(all.stream()
                                .map(Background::get)
                                .map(RunResult::getClass)
                                .distinct())
                        .isSubsetOf(RunResult.Ran.class, RunResult.Replayed.class, RunResult.StillRunning.class);
                assertThat(all.stream().map(Background::get).filter(RunResult.Ran.class::isInstance))
                        .hasSize(1);
            }
            assertThat(effects).hasValue(1);
        }

        @Test
        @DisplayName("a losing executor is not stopped: both go on, with different results")
        void two_executors_of_one_key_end_with_one_result() {
            var first = gate();
            var loser = slow(pay(stalling()), first);
            world.advance(LEASE);
            assertThat(pay().run(SCOPE, "key-1", "one euro", claim -> "the winner's"))
                    .isEqualTo("the winner's");

            first.open();

            assertThat(loser.get()).isEqualTo("the winner's");
            assertThat(charge(pay())).isEqualTo("the winner's");
        }

        @Test
        @DisplayName(
                "recovery picks up what a default executor id \"local\" left, and re-runs what another replica runs")
        void a_process_that_starts_leaves_alone_what_another_one_runs() {
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
        void a_crash_delays_a_retry_by_the_lease_and_not_by_the_retention() {
            slow(pay(stalling()), gate());

            world.advance(LEASE);

            assertThat(charge(pay())).isEqualTo("paid 1");
        }

        @Test
        @DisplayName("no lifetime of the lock at all: 409 for ever, also after the response itself expired")
        void nothing_is_stuck_however_it_was_left() {
            slow(pay(stalling()), gate());
            world.clock.advance(Duration.ofDays(400));
            assertThat(charge(pay())).isEqualTo("paid 1");

            world.clock.advance(Duration.ofDays(400));
            assertThat(charge(pay())).isEqualTo("paid 2");
        }

        @Test
        @DisplayName("the delete of an expired record races a fresh insert and removes it")
        void what_is_claimed_anew_after_expiry_is_not_reaped() {
            charge(pay());
            world.clock.advance(Duration.ofHours(25));
            var gate = gate();
            var fresh = slow(pay(), gate);

            assertThat(world.memory.reap(100)).isZero();

            assertThat(world.state("pay", "key-1")).isEqualTo(State.IN_PROGRESS);
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
        void a_value_that_cannot_be_encoded_does_not_free_the_key() {
            record Cyclic(List<Object> self) {}
            var cyclic = new Cyclic(new ArrayList<>());
            cyclic.self().add(cyclic.self());
            var odd = refrain.operation("pay", Cyclic.class).leased(TakeOver.RESUME);
            Work<Cyclic, RuntimeException> work = claim -> {
                effects.incrementAndGet();
                return cyclic;
            };

            assertThat(odd.run(SCOPE, "key-1", "x", work).self()).hasSize(1);
            assertThatThrownBy(() -> odd.run(SCOPE, "key-1", "x", work)).isInstanceOf(OutcomeNotKeptException.class);
            assertThat(effects).hasValue(1);
        }

        @Test
        @DisplayName("the work succeeded, the store was down: the key is removed, so a retry runs it again")
        void a_store_that_is_down_for_a_while_does_not_free_the_key() {
            world.store.always(Verb.WRITE, ScriptedStore.away());
            var first = Background.run(() -> charge(pay()));
            advancing(
                    world,
                    Duration.ofMillis(100),
                    () -> world.store.asked(Verb.WRITE).size() > 5);
            assertThatThrownBy(() -> charge(pay())).isInstanceOf(InProgressException.class);

            world.store.heal();
            advancing(world, Duration.ofMillis(100), first::isDone);

            assertThat(first.get()).isEqualTo("paid 1");
            assertThat(charge(pay())).isEqualTo("paid 1");
        }

        @Test
        @DisplayName("the work succeeded, the store could not hold the answer: the key is removed")
        void an_answer_that_cannot_be_stored_does_not_free_the_key() {
            world.store.next(Verb.WRITE, (rows, call) -> {
                throw RowRejectedException.badData("cannot be stored", null);
            });

            assertThat(charge(pay())).isEqualTo("paid 1");
            assertThatThrownBy(() -> charge(pay())).isInstanceOf(OutcomeNotKeptException.class);
        }

        @Test
        @DisplayName("saving uses the request's cancellation: a client that hangs up frees the claim")
        void a_caller_that_is_interrupted_while_saving_changes_nothing() {
            var gate = gate();
            world.store.next(Verb.WRITE, ScriptedStore.held(gate));
            var first = Background.run(() -> charge(pay()));
            gate.awaitArrival();

            first.interrupt();
            first.parked();
            gate.open();

            assertThat(first.get()).isEqualTo("paid 1");
            assertThat(charge(pay())).isEqualTo("paid 1");
        }

        @Test
        @DisplayName("the answer goes to the client before it is stored")
        void nobody_is_answered_before_it_is_stored() {
            var gate = gate();
            world.store.next(Verb.WRITE, ScriptedStore.replyHeld(gate));
            var first = Background.run(() -> charge(pay()));
            gate.awaitArrival();

            first.parked();
            assertThat(world.state("pay", "key-1")).isEqualTo(State.COMPLETED);
            gate.open();

            assertThat(first.get()).isEqualTo("paid 1");
        }

        @Test
        @DisplayName("an answer over the size limit frees the key")
        void an_answer_over_the_limit_completes_the_record() {
            var small = refrain.operation("pay").maxOutcomeBytes(10).leased(TakeOver.RESUME);
            Work<Outcome.Answer, RuntimeException> work = claim -> {
                effects.incrementAndGet();
                return Outcome.Answer.of(200, new byte[1_000]);
            };

            small.run(SCOPE, "key-1", "x", work);
            assertThatThrownBy(() -> small.run(SCOPE, "key-1", "x", work)).isInstanceOf(OutcomeNotKeptException.class);
            assertThat(effects).hasValue(1);
        }

        @Test
        @DisplayName("an empty body (204) reads as \"nothing stored\": the handler runs again")
        void an_empty_answer_is_an_outcome_like_any_other() {
            var raw = refrain.operation("pay").leased(TakeOver.RESUME);
            for (int i = 0; i < 3; i++) {
                assertThat(raw.run(SCOPE, "key-1", "x", claim -> {
                            effects.incrementAndGet();
                            return Outcome.Answer.of(204, new byte[0]);
                        }))
                        .isEqualTo(Outcome.Answer.of(204, new byte[0]));
            }
            assertThat(effects).hasValue(1);
        }

        @Test
        @DisplayName("the reaper deletes unfinished keys too")
        void what_is_unfinished_is_never_reaped() {
            var gate = gate();
            slow(pay(stalling()), gate);
            world.clock.advance(Duration.ofDays(400));

            assertThat(world.memory.reap(100)).isZero();
            assertThat(world.state("pay", "key-1")).isEqualTo(State.IN_PROGRESS);
        }
    }

    @Nested
    @DisplayName("Fingerprints and scope")
    class FingerprintsAndScope {

        private Request post(String path) {
            return Request.http("POST", path, "", "application/json", "{\"eur\":1}".getBytes(StandardCharsets.UTF_8));
        }

        @Test
        @DisplayName("body only, so the same key and body on another endpoint replays the wrong answer")
        void the_same_key_and_body_on_another_route_is_a_mismatch() {
            var api = refrain.operation("api", String.class).leased(TakeOver.RESUME);
            api.run(SCOPE, "key-1", post("/payments"), claim -> "a payment");

            assertThatThrownBy(() -> api.run(SCOPE, "key-1", post("/refunds"), claim -> "a refund"))
                    .isInstanceOf(MismatchException.class);
        }

        @Test
        @DisplayName("a different body becomes a different lookup key, so a reused key runs twice")
        void a_reused_key_with_another_body_does_not_run() {
            charge(pay());

            assertThatThrownBy(
                            () -> pay().run(SCOPE, "key-1", "two euros", claim -> "paid " + effects.incrementAndGet()))
                    .isInstanceOf(MismatchException.class);
            assertThat(effects).hasValue(1);
        }

        @Test
        @DisplayName("a different key with the same body is refused: two honest orders of the same thing are blocked")
        void two_keys_with_the_same_body_are_two_orders() {
            charge(pay());

            assertThat(pay().run(SCOPE, "key-2", "one euro", claim -> "paid " + effects.incrementAndGet()))
                    .isEqualTo("paid 2");
        }

        @Test
        @DisplayName("keys global to the service: tenants collide")
        void tenants_with_the_same_key_never_meet() {
            var one = pay().run("tenant 1", "key-1", "one euro", claim -> "of tenant 1");
            var two = pay().run("tenant 2", "key-1", "two euros", claim -> "of tenant 2");

            assertThat(List.of(one, two)).containsExactly("of tenant 1", "of tenant 2");
            assertThat(pay().run("tenant 1", "key-1", "one euro", claim -> "?")).isEqualTo("of tenant 1");
        }

        @Test
        @DisplayName("a null key falls back to the bare URI")
        void without_a_key_nothing_runs_and_nothing_is_stored() {
            assertThatThrownBy(() -> pay().run(SCOPE, null, "one euro", claim -> "ran"))
                    .isInstanceOf(NullPointerException.class);
            assertThatThrownBy(() -> pay().run(SCOPE, "", "one euro", claim -> "ran"))
                    .isInstanceOf(InvalidKeyException.class);
            assertThat(world.store.asked(Verb.CLAIM)).isEmpty();
        }

        @Test
        @DisplayName("a mismatch while the first is in flight answers \"in progress\"")
        void a_mismatch_in_flight_is_a_mismatch() {
            slow(pay(), gate());

            assertThatThrownBy(() -> pay().run(SCOPE, "key-1", "two euros", claim -> "ran"))
                    .isInstanceOf(MismatchException.class);
        }
    }

    @Nested
    @DisplayName("Replay")
    class Replays {

        @Test
        @DisplayName("406 comes back as 200, Location is lost, text decoding ruins binary answers, objects are stored")
        void a_replay_is_byte_identical() {
            var raw = refrain.operation("pay").leased(TakeOver.RESUME);
            byte[] notText = {(byte) 0xC3, 0x28, 0, (byte) 0xFF};
            var answer = new Outcome.Answer(
                    406, List.of(new Header("Location", "/payments/1")), Payload.of(notText.clone()));
            raw.run(SCOPE, "key-1", "x", claim -> answer);

            var replayed = replay(world.process());

            assertThat(replayed.status()).isEqualTo(406);
            assertThat(replayed.header("location")).contains("/payments/1");
            assertThat(replayed.body().bytes()).isEqualTo(notText);
        }

        private Outcome.Answer replay(Refrain process) {
            return process.operation("pay").leased(TakeOver.RESUME).run(SCOPE, "key-1", "x", claim -> {
                throw new AssertionError("must not run");
            });
        }

        @Test
        @DisplayName("a replay writes to the database, on the hot path")
        void a_replay_changes_nothing_in_the_store() {
            charge(pay());
            int written = world.store.asked(Verb.WRITE).size();
            var before = world.record("pay", "key-1");

            for (int i = 0; i < 10; i++) {
                charge(pay());
            }

            assertThat(world.store.asked(Verb.WRITE)).hasSize(written);
            assertThat(world.record("pay", "key-1")).isEqualTo(before);
        }
    }

    @Test
    @DisplayName("an application clock or the time of creation judges staleness: something old and running looks dead")
    void what_is_old_and_running_is_not_dead_and_nobody_elses_clock_counts() {
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
                        new Identity(SCOPE, "pay", "key-1").hash(),
                        world.record("pay", "key-1").orElseThrow().id(),
                        1));
    }
}
