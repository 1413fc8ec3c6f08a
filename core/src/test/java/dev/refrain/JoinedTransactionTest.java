package dev.refrain;

import static dev.refrain.testing.AwaitCondition.advancing;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.refrain.RefrainSettings.CacheSettings;
import dev.refrain.api.OperationResult;
import dev.refrain.api.OutcomeRule;
import dev.refrain.observe.RefrainEvent;
import dev.refrain.store.RecordState;
import dev.refrain.testing.BackgroundCall;
import dev.refrain.testing.ThreadGate;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** An operation as a part of its caller's transaction. */
class JoinedTransactionTest extends TransactionalTestBase {

    @Test
    void withinTheCallersTransactionNothingCountsUntilTheCallerCommits() {
        var books = transactions.books();

        assertThat(pay.runInTransaction(books, call("x"), writing("debit"))).isEqualTo("debit 1");
        assertThat(world.record("pay", "key-1")).isEmpty();
        assertThat(world.events.of(RefrainEvent.Completed.class)).isEmpty();
        books.commit();

        assertThat(transactions.ledger()).containsExactly("debit");
        assertThat(world.state("pay", "key-1")).isEqualTo(RecordState.COMPLETED);
        assertThat(pay.run(call("x"), writing("debit"))).isEqualTo("debit 1");
    }

    @Test
    void rollbackByTheCallerRollsBackTheKeyToo() {
        var books = transactions.books();
        pay.runInTransaction(books, call("x"), writing("debit"));
        books.rollback();

        assertThat(world.record("pay", "key-1")).isEmpty();
        assertThat(pay.run(call("x"), writing("debit"))).isEqualTo("debit 2");
        assertThat(transactions.ledger()).containsExactly("debit");
    }

    @Test
    void replayInARolledBackTransactionIsNotRemembered() {
        var remembering = world.process(world.settings().with(CacheSettings.DEFAULT))
                .operation("pay", String.class)
                .transactional(transactions);
        var books = transactions.books();
        remembering.runInTransaction(books, call("x"), writing("debit"));
        assertThat(remembering.runInTransaction(books, call("x"), writing("debit")))
                .isEqualTo("debit 1");
        books.rollback();

        assertThat(remembering.run(call("x"), writing("debit"))).isEqualTo("debit 2");
        assertThat(transactions.ledger()).containsExactly("debit");
    }

    @Test
    void withinTheCallersTransactionNobodyWaitsEvenIfTheOperationDoes() {
        var waiting = operation().waitWhileInFlight(Duration.ofSeconds(10)).transactional(transactions);
        var first = transactions.books();
        waiting.runInTransaction(first, call("x"), writing("debit"));

        assertThat(waiting.runInTransactionForResult(transactions.books(), call("x"), writing("twin")))
                .isInstanceOf(OperationResult.InProgress.class);
        assertThat(world.environment.nanoTime()).isZero();
        first.commit();
        assertThat(waiting.runInTransaction(transactions.books(), call("x"), writing("twin")))
                .isEqualTo("debit 1");
    }

    @Test
    void withinTheCallersTransactionAFailedPartLeavesTheRestOfItWhole() {
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
    void keptFailureIsReplayedToNobodyBeforeTheCallersTransactionCommits() {
        var stripe = operation().outcomeRule(OutcomeRule.EVERYTHING).transactional(transactions);
        var waiting = operation()
                .outcomeRule(OutcomeRule.EVERYTHING)
                .waitWhileInFlight(Duration.ofSeconds(10))
                .transactional(transactions);
        var books = transactions.books();
        var entered = new ThreadGate();
        var first = BackgroundCall.run(() -> stripe.runInTransaction(books, call("x"), (claim, b) -> {
            entered.pass();
            throw new IllegalStateException("declined");
        }));
        entered.awaitArrival();
        var waiter = BackgroundCall.run(() -> waiting.run(call("x"), writing("debit")))
                .parked();

        entered.open();
        assertThat(first.failure()).isInstanceOf(IllegalStateException.class);
        waiter.parked();
        assertThat(world.events.of(RefrainEvent.Completed.class)).isEmpty();
        books.rollback();
        advancing(world, Duration.ofMillis(20), waiter::isDone);

        assertThat(waiter.get()).as("the failure was rolled back").isEqualTo("debit 1");
    }
}
