package dev.refrain;

import static dev.refrain.testing.Until.advancing;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.refrain.observe.Event;
import dev.refrain.outcome.Profile;
import dev.refrain.replay.OutcomeCache;
import dev.refrain.run.RunResult;
import dev.refrain.store.State;
import dev.refrain.testing.Background;
import dev.refrain.testing.Gate;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** An operation as a part of its caller's transaction. */
class JoinedTransactionTest extends InTransactions {

    @Test
    void within_the_callers_transaction_nothing_counts_until_the_caller_commits() {
        var books = transactions.books();

        assertThat(pay.runInTransaction(books, call("x"), writing("debit"))).isEqualTo("debit 1");
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
        pay.runInTransaction(books, call("x"), writing("debit"));
        books.rollback();

        assertThat(world.record("pay", "key-1")).isEmpty();
        assertThat(pay.run(call("x"), writing("debit"))).isEqualTo("debit 2");
        assertThat(transactions.ledger()).containsExactly("debit");
    }

    @Test
    void what_was_replayed_in_a_transaction_that_is_rolled_back_is_replayed_to_nobody_else() {
        var remembering = world.process(world.settings().with(OutcomeCache.Settings.DEFAULT))
                .operation("pay", String.class)
                .transactional(transactions);
        var books = transactions.books();
        remembering.runInTransaction(books, call("x"), writing("debit"));
        assertThat(remembering.runInTransaction(books, call("x"), writing("debit"))).isEqualTo("debit 1");
        books.rollback();

        assertThat(remembering.run(call("x"), writing("debit"))).isEqualTo("debit 2");
        assertThat(transactions.ledger()).containsExactly("debit");
    }

    @Test
    void within_the_callers_transaction_nobody_waits_even_if_the_operation_does() {
        var waiting = operation().waitForOutcome(Duration.ofSeconds(10)).transactional(transactions);
        var first = transactions.books();
        waiting.runInTransaction(first, call("x"), writing("debit"));

        assertThat(waiting.runInTransactionForResult(transactions.books(), call("x"), writing("twin")))
                .isInstanceOf(RunResult.StillRunning.class);
        assertThat(world.environment.nanoTime()).isZero();
        first.commit();
        assertThat(waiting.runInTransaction(transactions.books(), call("x"), writing("twin")))
                .isEqualTo("debit 1");
    }

    @Test
    void within_the_callers_transaction_a_failed_part_leaves_the_rest_of_it_whole() {
        var books = transactions.books();
        books.write("before");

        assertThatThrownBy(() -> pay.runInTransaction(books, call("x"), (claim, b) -> {
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
                .waitForOutcome(Duration.ofSeconds(10))
                .transactional(transactions);
        var books = transactions.books();
        var entered = new Gate();
        var first = Background.run(() -> stripe.runInTransaction(books, call("x"), (claim, b) -> {
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
}
