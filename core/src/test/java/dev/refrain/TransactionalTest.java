package dev.refrain;

import static dev.refrain.testing.Until.advancing;
import static dev.refrain.testing.World.SCOPE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.refrain.observe.Event;
import dev.refrain.outcome.Outcome;
import dev.refrain.outcome.Profile;
import dev.refrain.outcome.Retention;
import dev.refrain.run.OutcomeUnknownException;
import dev.refrain.run.RunResult;
import dev.refrain.run.ShuttingDownException;
import dev.refrain.store.State;
import dev.refrain.store.StoreException;
import dev.refrain.store.StoreException.Effect;
import dev.refrain.store.TakeOver;
import dev.refrain.store.memory.MemoryStore;
import dev.refrain.testing.Background;
import dev.refrain.testing.Gate;
import dev.refrain.testing.MemoryTransactions;
import dev.refrain.testing.MemoryTransactions.Books;
import dev.refrain.testing.MemoryTransactions.Commit;
import dev.refrain.testing.World;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Claim, work and outcome in one transaction, over transactions in memory; the databases' part is tested in stores/jdbc. */
class TransactionalTest {

    private final World world = new World();
    private final Refrain refrain = world.process();
    private final MemoryTransactions transactions = new MemoryTransactions(world.store);
    private final AtomicInteger runs = new AtomicInteger();
    private final Transactional<String, Books> pay = operation().transactional(transactions);

    private Operation<String> operation() {
        return refrain.operation("pay", String.class);
    }

    private static Call call(String request) {
        return Call.of(SCOPE, "key-1", request);
    }

    private TransactionalWork<String, Books, RuntimeException> writing(String entry) {
        return (claim, books) -> {
            books.write(entry);
            return entry + " " + runs.incrementAndGet();
        };
    }

    @AfterEach
    void no_connection_is_left_open() {
        assertThat(transactions.open()).isZero();
    }

    @Test
    void work_and_outcome_commit_together_and_a_retry_is_given_the_outcome() {
        assertThat(pay.run(call("x"), writing("debit"))).isEqualTo("debit 1");
        assertThat(pay.run(SCOPE, "key-1", "x", writing("debit"))).isEqualTo("debit 1");

        assertThat(transactions.ledger()).containsExactly("debit");
        assertThat(world.state("pay", "key-1")).isEqualTo(State.COMPLETED);
        assertThat(world.events.of(Event.Completed.class)).hasSize(1);
    }

    @Test
    void another_request_under_the_same_key_is_a_mismatch_and_nothing_is_written() {
        pay.run(call("x"), writing("debit"));

        assertThatThrownBy(() -> pay.run(call("y"), writing("debit"))).isInstanceOf(MismatchException.class);
        assertThat(transactions.ledger()).containsExactly("debit");
    }

    @Test
    void a_twin_like_or_unlike_is_told_busy_without_waiting_while_the_first_is_uncommitted() {
        var gate = new Gate();
        var first = Background.run(() -> pay.run(call("x"), (claim, books) -> {
            books.write("debit");
            gate.pass();
            return "done";
        }));
        gate.awaitArrival();

        assertThatThrownBy(() -> pay.run(call("x"), writing("twin"))).isInstanceOf(InProgressException.class);
        assertThat(pay.attempt(call("y"), writing("twin"))).isInstanceOf(RunResult.StillRunning.class);
        assertThat(transactions.open())
                .as("only the first one holds a connection")
                .isEqualTo(1);

        gate.open();
        assertThat(first.get()).isEqualTo("done");
        assertThat(transactions.ledger()).containsExactly("debit");
    }

    @Test
    void a_twin_that_waits_holds_no_connection_and_is_woken_by_the_commit() {
        var waiting = operation().waiting(Duration.ofSeconds(10)).transactional(transactions);
        var gate = new Gate();
        var first = Background.run(() -> waiting.run(call("x"), (claim, books) -> {
            gate.pass();
            return "done";
        }));
        gate.awaitArrival();
        var twins = Background.run(10, () -> waiting.run(call("x"), writing("twin")));
        twins.forEach(Background::parked);
        assertThat(transactions.open()).isEqualTo(1);

        gate.open();

        assertThat(twins.stream().map(Background::get)).containsOnly("done");
        first.get();
        assertThat(transactions.ledger()).isEmpty();
    }

    @Test
    void a_twin_that_waits_tests_the_lock_rarely_however_long_it_takes() {
        var waiting = operation().waiting(Duration.ofSeconds(30)).transactional(transactions);
        var gate = new Gate();
        var first = Background.run(() -> pay.run(call("x"), (claim, books) -> {
            gate.pass();
            return "done";
        }));
        gate.awaitArrival();
        var twin = Background.run(() -> waiting.run(call("x"), writing("twin"))).parked();

        advancing(
                world,
                Duration.ofMillis(50),
                () -> world.environment.nanos() > Duration.ofSeconds(20).toNanos());

        assertThat(transactions.entered()).isLessThan(40);
        gate.open();
        first.get();
        assertThat(twin.get()).isEqualTo("done");
    }

    @Test
    void an_exception_takes_everything_back_and_a_retry_runs() {
        var boom = new IOException("constraint violated");

        assertThatThrownBy(() -> pay.<Exception>run(call("x"), (claim, books) -> {
                    books.write("half");
                    throw boom;
                }))
                .isSameAs(boom);

        assertThat(transactions.ledger()).isEmpty();
        assertThat(world.record("pay", "key-1")).isEmpty();
        assertThat(world.events.of(Event.Released.class)).hasSize(1);
        assertThat(pay.run(call("x"), writing("debit"))).isEqualTo("debit 1");
    }

    @Test
    void a_kept_exception_takes_the_work_back_and_commits_the_failure() {
        var stripe = operation().profile(Profile.STRIPE).transactional(transactions);

        assertThatThrownBy(() -> stripe.run(call("x"), (claim, books) -> {
                    books.write("half");
                    throw new IllegalStateException("declined");
                }))
                .isInstanceOf(IllegalStateException.class)
                .hasNoSuppressedExceptions();

        assertThat(transactions.ledger()).isEmpty();
        assertThatThrownBy(() -> stripe.run(call("x"), writing("debit")))
                .isInstanceOfSatisfying(
                        RepeatedFailureException.class,
                        e -> assertThat(e.originalMessage()).isEqualTo("declined"));
        assertThat(world.events.of(Event.Released.class)).isEmpty();
    }

    @Test
    void what_the_work_says_of_itself_goes_before_what_the_profile_keeps() {
        var stripe = operation().profile(Profile.STRIPE).transactional(transactions);

        assertThatThrownBy(() -> stripe.run(call("x"), (claim, books) -> {
                    claim.nothingHappened();
                    throw new IllegalStateException("refused at the door");
                }))
                .isInstanceOf(IllegalStateException.class);

        assertThat(world.record("pay", "key-1")).isEmpty();
    }

    private Outcome.Answer answer(Transactional<Outcome.Answer, Books> raw, int status) {
        return raw.run(call("x"), (claim, books) -> {
            books.write("entry " + runs.incrementAndGet());
            return Outcome.Answer.of(status, new byte[0]);
        });
    }

    @Test
    void an_answer_that_is_not_kept_reaches_the_caller_and_takes_everything_back() {
        var raw = refrain.operation("pay").transactional(transactions);

        assertThat(answer(raw, 503).status()).isEqualTo(503);
        assertThat(answer(raw, 201).status()).isEqualTo(201);

        assertThat(transactions.ledger()).containsExactly("entry 2");
    }

    @Test
    void a_server_error_of_which_only_the_state_would_be_kept_is_not_kept_because_its_work_was_taken_back() {
        var raw = refrain.operation("pay").profile(Profile.STRIPE).stateOnly().transactional(transactions);

        assertThat(answer(raw, 500).status()).isEqualTo(500);
        assertThat(transactions.ledger()).isEmpty();
        assertThat(answer(raw, 201).status()).isEqualTo(201);
        assertThat(transactions.ledger()).containsExactly("entry 2");
    }

    @Test
    void a_kept_server_error_takes_the_work_back_and_commits_the_outcome() {
        var raw = refrain.operation("pay").profile(Profile.STRIPE).transactional(transactions);

        assertThat(answer(raw, 500).status()).isEqualTo(500);
        assertThat(answer(raw, 500).status()).isEqualTo(500);

        assertThat(runs).hasValue(1);
        assertThat(transactions.ledger()).isEmpty();
    }

    @Test
    void a_kept_refusal_keeps_what_the_work_wrote() {
        var raw = refrain.operation("pay").transactional(transactions);

        answer(raw, 422);
        answer(raw, 422);

        assertThat(transactions.ledger()).containsExactly("entry 1");
    }

    @Test
    void raw_work_that_gives_null_has_failed_and_nothing_is_left_of_it() {
        var raw = refrain.operation("pay").transactional(transactions);

        assertThatThrownBy(() -> raw.run(call("x"), (claim, books) -> {
                    books.write("half");
                    return null;
                }))
                .isInstanceOf(NullPointerException.class)
                .hasMessageContaining("the work gave null");
        assertThat(transactions.ledger()).isEmpty();
    }

    @Test
    void typed_work_that_gives_nothing_gives_nothing_again() {
        var erase = refrain.operation("erase", Void.class).transactional(transactions);
        for (int i = 0; i < 2; i++) {
            assertThat(erase.<RuntimeException>run(call("x"), (claim, books) -> {
                        books.write("erased");
                        return null;
                    }))
                    .isNull();
        }
        assertThat(transactions.ledger()).containsExactly("erased");
    }

    @Test
    void the_work_can_keep_its_outcome_for_another_time() {
        pay.run(call("x"), (claim, books) -> {
            claim.keepFor(Retention.of(Duration.ofDays(30)));
            return "done";
        });

        assertThat(world.record("pay", "key-1").orElseThrow().lifeLeft()).contains(Duration.ofDays(30));
    }

    /** Someone who does not take the lock, such as a leased run of the same key, gets in between. */
    private void completeMeanwhile(String value) {
        assertThat(world.process()
                        .operation("pay", String.class)
                        .leased(TakeOver.RESUME)
                        .run(SCOPE, "key-1", "x", claim -> value))
                .isEqualTo(value);
    }

    @Test
    void who_cannot_settle_because_someone_else_did_answers_theirs_and_leaves_nothing() {
        var answer = pay.run(call("x"), (claim, books) -> {
            books.write("mine");
            if (runs.incrementAndGet() == 1) {
                completeMeanwhile("theirs");
            }
            return "mine";
        });

        assertThat(answer).isEqualTo("theirs");
        assertThat(runs).hasValue(1);
        assertThat(transactions.ledger()).isEmpty();
        assertThat(world.events.of(Event.FencedOut.class)).hasSize(1);
        assertThat(world.events.of(Event.Released.class)).isEmpty();
    }

    @Test
    void who_cannot_settle_because_someone_else_runs_is_told_busy_and_leaves_nothing() {
        var gate = new Gate();
        var elsewhere = world.process().operation("pay", String.class).leased(TakeOver.RESUME);
        var other = new AtomicReference<Background<String>>();

        assertThatThrownBy(() -> pay.run(call("x"), (claim, books) -> {
                    books.write("mine");
                    other.set(Background.run(() -> elsewhere.run(SCOPE, "key-1", "x", c -> {
                        gate.pass();
                        return "theirs";
                    })));
                    gate.awaitArrival();
                    return "mine";
                }))
                .isInstanceOf(InProgressException.class);

        assertThat(transactions.ledger()).isEmpty();
        gate.open();
        assertThat(other.get().get()).isEqualTo("theirs");
    }

    @Test
    void who_loses_every_race_is_told_busy_and_does_not_run_for_ever() {
        var result = pay.attempt(call("x"), (claim, books) -> {
            books.write("mine");
            runs.incrementAndGet();
            assertThatThrownBy(() -> world.process()
                            .operation("pay", String.class)
                            .leased(TakeOver.RESUME)
                            .run(SCOPE, "key-1", "x", c -> {
                                throw new IllegalStateException("and releases");
                            }))
                    .isInstanceOf(IllegalStateException.class);
            return "mine";
        });

        assertThat(result).isInstanceOf(RunResult.StillRunning.class);
        assertThat(runs.get()).isBetween(2, 20);
        assertThat(transactions.ledger()).isEmpty();
    }

    @Test
    void a_released_record_is_continued_under_its_id() {
        assertThatThrownBy(() -> refrain.operation("pay", String.class)
                        .leased(TakeOver.RESUME)
                        .run(SCOPE, "key-1", "x", claim -> {
                            throw new IllegalStateException("released");
                        }))
                .isInstanceOf(IllegalStateException.class);
        var id = world.record("pay", "key-1").orElseThrow().id();

        pay.run(call("x"), (claim, books) -> {
            assertThat(claim.recordId()).isEqualTo(id);
            assertThat(claim.fence()).isEqualTo(2);
            return "done";
        });

        assertThat(world.record("pay", "key-1").orElseThrow().id()).isEqualTo(id);
        assertThat(world.events.only(Event.Resumed.class).fence()).isEqualTo(2);
    }

    @Test
    void a_commit_that_failed_for_certain_is_told_and_a_retry_runs() {
        transactions.nextCommit(Commit.FAILS);

        assertThatThrownBy(() -> pay.run(call("x"), writing("debit")))
                .isInstanceOfSatisfying(
                        StoreException.class, e -> assertThat(e.effect()).isEqualTo(Effect.NONE));
        assertThat(transactions.ledger()).isEmpty();
        assertThat(pay.run(call("x"), writing("debit"))).isEqualTo("debit 2");
        assertThat(transactions.ledger()).containsExactly("debit");
    }

    @Test
    void a_commit_whose_reply_was_lost_is_settled_by_taking_the_lock_again_and_reading() {
        transactions.nextCommit(Commit.REPLY_LOST);

        assertThat(pay.run(call("x"), writing("debit"))).isEqualTo("debit 1");

        assertThat(transactions.ledger()).containsExactly("debit");
        assertThat(world.events.of(Event.Completed.class)).hasSize(1);
        assertThat(world.events.of(Event.OutcomeUnknown.class)).isEmpty();
    }

    @Test
    void a_commit_that_was_lost_altogether_is_settled_the_other_way_and_a_retry_runs() {
        transactions.nextCommit(Commit.LOST);

        assertThatThrownBy(() -> pay.run(call("x"), writing("debit")))
                .isInstanceOfSatisfying(
                        StoreException.class, e -> assertThat(e.effect()).isEqualTo(Effect.NONE))
                .hasMessageContaining("nothing happened");
        assertThat(pay.run(call("x"), writing("debit"))).isEqualTo("debit 2");
        assertThat(transactions.ledger()).containsExactly("debit");
    }

    @Test
    void while_the_lost_transaction_still_holds_the_lock_nothing_is_known_and_it_is_asked_again() {
        transactions.nextCommit(Commit.LOST_AND_LINGERS);
        var first = Background.run(() -> pay.run(call("x"), writing("debit")));
        advancing(world, Duration.ofMillis(50), () -> transactions.entered() > 3);
        assertThat(first.isDone()).isFalse();

        transactions.noticeLostConnections();
        advancing(world, Duration.ofMillis(50), first::isDone);

        assertThat(first.failure()).hasMessageContaining("nothing happened");
        assertThat(transactions.ledger()).isEmpty();
    }

    @Test
    void if_it_cannot_be_found_out_the_outcome_is_unknown() {
        transactions.nextCommit(Commit.LOST_AND_LINGERS);
        var first = Background.run(() -> pay.run(call("x"), writing("debit")));

        advancing(world, Duration.ofSeconds(1), first::isDone);

        assertThat(first.failure()).isInstanceOf(OutcomeUnknownException.class);
        assertThat(world.events.of(Event.OutcomeUnknown.class)).hasSize(1);
        assertThat(world.events.of(Event.Released.class))
                .as("nobody knows that")
                .isEmpty();
        transactions.noticeLostConnections();
        assertThat(pay.run(call("x"), writing("debit"))).isEqualTo("debit 2");
    }

    @ParameterizedTest
    @EnumSource(
            value = Commit.class,
            names = {"REPLY_LOST", "LOST"})
    void finding_out_takes_no_second_connection_beside_the_broken_one(Commit commit) {
        transactions.pool(1);
        transactions.nextCommit(commit);
        var first = Background.run(() -> pay.attempt(call("x"), writing("debit")));

        advancing(world, Duration.ofMillis(50), first::isDone);

        if (commit == Commit.REPLY_LOST) {
            assertThat(first.get()).isInstanceOf(RunResult.Ran.class);
        } else {
            assertThat(first.failure()).hasMessageContaining("nothing happened");
        }
    }

    @Test
    void if_a_twin_ran_after_the_lost_commit_its_outcome_is_not_taken_for_ones_own() {
        transactions.nextCommit(Commit.LOST_AND_LINGERS);
        var first = Background.run(() -> pay.run(call("x"), writing("debit")));
        advancing(world, Duration.ofMillis(50), () -> transactions.entered() > 1);
        completeMeanwhile("theirs");
        transactions.noticeLostConnections();
        advancing(world, Duration.ofMillis(50), first::isDone);

        assertThat(first.failure()).hasMessageContaining("nothing happened");
        assertThat(pay.run(call("x"), writing("debit"))).isEqualTo("theirs");
        assertThat(transactions.ledger()).isEmpty();
    }

    @Test
    void a_connection_that_breaks_when_it_is_given_back_changes_no_answer() {
        transactions.failToClose();

        assertThat(pay.run(call("x"), writing("debit"))).isEqualTo("debit 1");
        assertThat(pay.run(call("x"), writing("debit"))).isEqualTo("debit 1");
        assertThatThrownBy(() -> pay.run(Call.of(SCOPE, "key-2", "x"), (claim, books) -> {
                    throw new IllegalStateException("the work's own");
                }))
                .isInstanceOf(IllegalStateException.class);

        assertThat(transactions.ledger()).containsExactly("debit");
        assertThat(world.events.of(Event.StoreFailed.class))
                .extracting(Event.StoreFailed::call)
                .containsOnly("transactions");
    }

    @Test
    void a_pool_without_a_connection_is_told_as_the_store_being_away_and_nothing_runs() {
        transactions.pool(0);

        assertThatThrownBy(() -> pay.run(call("x"), writing("debit")))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("pool");
        assertThat(runs).hasValue(0);
    }

    @Test
    void within_the_callers_transaction_nothing_counts_until_the_caller_commits() {
        var books = transactions.books();

        assertThat(pay.runWithin(books, call("x"), writing("debit"))).isEqualTo("debit 1");
        assertThat(world.record("pay", "key-1")).isEmpty();
        assertThat(world.events.of(Event.Completed.class)).isEmpty();
        books.commit();

        assertThat(transactions.ledger()).containsExactly("debit");
        assertThat(world.state("pay", "key-1")).isEqualTo(State.COMPLETED);
        assertThat(pay.run(call("x"), writing("debit"))).isEqualTo("debit 1");
    }

    @Test
    void a_rollback_by_the_caller_takes_the_key_back_too() {
        var books = transactions.books();
        pay.runWithin(books, call("x"), writing("debit"));
        books.rollback();

        assertThat(world.record("pay", "key-1")).isEmpty();
        assertThat(pay.run(call("x"), writing("debit"))).isEqualTo("debit 2");
        assertThat(transactions.ledger()).containsExactly("debit");
    }

    @Test
    void within_the_callers_transaction_nobody_waits_even_if_the_operation_does() {
        var waiting = operation().waiting(Duration.ofSeconds(10)).transactional(transactions);
        var first = transactions.books();
        waiting.runWithin(first, call("x"), writing("debit"));

        assertThat(waiting.attemptWithin(transactions.books(), call("x"), writing("twin")))
                .isInstanceOf(RunResult.StillRunning.class);
        assertThat(world.environment.nanos()).isZero();
        first.commit();
        assertThat(waiting.runWithin(transactions.books(), call("x"), writing("twin")))
                .isEqualTo("debit 1");
    }

    @Test
    void within_the_callers_transaction_a_failed_part_leaves_the_rest_of_it_whole() {
        var books = transactions.books();
        books.write("before");

        assertThatThrownBy(() -> pay.runWithin(books, call("x"), (claim, b) -> {
                    b.write("half");
                    throw new IllegalStateException("failed");
                }))
                .isInstanceOf(IllegalStateException.class);
        books.write("after");
        books.commit();

        assertThat(transactions.ledger()).containsExactly("before", "after");
        assertThat(world.record("pay", "key-1")).isEmpty();
    }

    @Test
    void a_kept_failure_within_the_callers_transaction_is_told_to_nobody_before_the_caller_commits() {
        var stripe = operation().profile(Profile.STRIPE).transactional(transactions);
        var waiting = operation()
                .profile(Profile.STRIPE)
                .waiting(Duration.ofSeconds(10))
                .transactional(transactions);
        var books = transactions.books();
        var entered = new Gate();
        var first = Background.run(() -> stripe.runWithin(books, call("x"), (claim, b) -> {
            entered.pass();
            throw new IllegalStateException("declined");
        }));
        entered.awaitArrival();
        var waiter =
                Background.run(() -> waiting.run(call("x"), writing("debit"))).parked();

        entered.open();
        assertThat(first.failure()).isInstanceOf(IllegalStateException.class);
        waiter.parked();
        assertThat(world.events.of(Event.Completed.class)).isEmpty();
        books.rollback();
        advancing(world, Duration.ofMillis(20), waiter::isDone);

        assertThat(waiter.get()).as("the failure was rolled back").isEqualTo("debit 1");
    }

    @Test
    void a_failed_run_wakes_one_of_those_who_wait_in_this_process() {
        var waiting = operation().waiting(Duration.ofSeconds(10)).transactional(transactions);
        var gate = new Gate();
        var first = Background.run(() -> waiting.run(call("x"), (claim, books) -> {
            gate.pass();
            throw new IllegalStateException("failed");
        }));
        gate.awaitArrival();
        var waiter =
                Background.run(() -> waiting.run(call("x"), writing("debit"))).parked();

        gate.open();

        assertThat(first.failure()).isInstanceOf(IllegalStateException.class);
        assertThat(waiter.get()).isEqualTo("debit 1");
        assertThat(world.environment.nanos()).as("no poll was needed").isZero();
    }

    @Test
    void closing_finishes_what_runs_and_takes_nothing_new() {
        var gate = new Gate();
        var slow = Background.run(() -> pay.run(call("x"), (claim, books) -> {
            books.write("debit");
            gate.passUnlessInterrupted();
            return "done";
        }));
        gate.awaitArrival();
        var closing =
                Background.run(() -> refrain.close(Duration.ofSeconds(30))).parked();

        assertThatThrownBy(() -> pay.run(Call.of(SCOPE, "key-2", "x"), writing("new")))
                .isInstanceOf(ShuttingDownException.class);
        gate.open();

        assertThat(slow.get()).isEqualTo("done");
        advancing(world, Duration.ofMillis(20), closing::isDone);
        assertThat(closing.get()).isEmpty();
        assertThat(transactions.ledger()).containsExactly("debit");
    }

    @Test
    void transactions_of_another_store_are_refused_at_start() {
        assertThatThrownBy(() -> operation().transactional(new MemoryTransactions(new MemoryStore())))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("another store");
    }

    @Test
    void transactional_work_cannot_fail_open_and_is_told_so_at_start() {
        assertThatThrownBy(() -> operation().failOpen().transactional(transactions))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("pay cannot fail open");
    }

    @Test
    void many_twins_write_once() {
        var results = Background.run(100, () -> pay.attempt(call("x"), writing("debit")));

        assertThat(results.stream().map(Background::get))
                .allMatch(r -> r instanceof RunResult.Ran
                        || r instanceof RunResult.Replayed
                        || r instanceof RunResult.StillRunning);
        assertThat(transactions.ledger()).isEqualTo(List.of("debit"));
    }
}
