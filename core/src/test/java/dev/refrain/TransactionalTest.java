package dev.refrain;

import static dev.refrain.testing.Until.advancing;
import static dev.refrain.testing.World.SCOPE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.refrain.observe.Event;
import dev.refrain.run.RunResult;
import dev.refrain.run.ShuttingDownException;
import dev.refrain.store.State;
import dev.refrain.store.memory.MemoryStore;
import dev.refrain.testing.Background;
import dev.refrain.testing.Gate;
import dev.refrain.testing.MemoryTransactions;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Claim, work and outcome in one transaction, over transactions in memory; the databases' part is tested in stores/jdbc. */
class TransactionalTest extends InTransactions {

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
        assertThat(pay.runForResult(call("y"), writing("twin"))).isInstanceOf(RunResult.StillRunning.class);
        assertThat(transactions.open())
                .as("only the first one holds a connection")
                .isEqualTo(1);

        gate.open();
        assertThat(first.get()).isEqualTo("done");
        assertThat(transactions.ledger()).containsExactly("debit");
    }

    @Test
    void a_twin_that_waits_holds_no_connection_and_is_woken_by_the_commit() {
        var waiting = operation().waitForOutcome(Duration.ofSeconds(10)).transactional(transactions);
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
        var waiting = operation().waitForOutcome(Duration.ofSeconds(30)).transactional(transactions);
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
                () -> world.environment.nanoTime() > Duration.ofSeconds(20).toNanos());

        assertThat(transactions.entered()).isLessThan(40);
        gate.open();
        first.get();
        assertThat(twin.get()).isEqualTo("done");
    }

    @Test
    void a_failed_run_wakes_one_of_those_who_wait_in_this_process() {
        var waiting = operation().waitForOutcome(Duration.ofSeconds(10)).transactional(transactions);
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
        assertThat(world.environment.nanoTime()).as("no poll was needed").isZero();
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
        var results = Background.run(100, () -> pay.runForResult(call("x"), writing("debit")));

        assertThat(results.stream().map(Background::get))
                .allMatch(r -> r instanceof RunResult.Ran
                        || r instanceof RunResult.Replayed
                        || r instanceof RunResult.StillRunning);
        assertThat(transactions.ledger()).isEqualTo(List.of("debit"));
    }
}
