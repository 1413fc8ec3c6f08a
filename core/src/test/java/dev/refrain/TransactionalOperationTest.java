package dev.refrain;

import static dev.refrain.testing.AwaitCondition.advancing;
import static dev.refrain.testing.SharedStoreFixture.SCOPE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.refrain.api.InProgressException;
import dev.refrain.api.OperationResult;
import dev.refrain.api.RequestMismatchException;
import dev.refrain.api.ShuttingDownException;
import dev.refrain.observe.RefrainEvent;
import dev.refrain.store.RecordState;
import dev.refrain.store.memory.MemoryStore;
import dev.refrain.testing.BackgroundCall;
import dev.refrain.testing.InMemoryTransactionFactory;
import dev.refrain.testing.ThreadGate;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Claim, work and outcome in one transaction, over transactions in memory; the databases' part is tested in stores/jdbc. */
class TransactionalOperationTest extends TransactionalTestBase {

    @Test
    void workAndOutcomeCommitTogetherAndARetryIsGivenTheOutcome() {
        assertThat(pay.run(call("x"), writing("debit"))).isEqualTo("debit 1");
        assertThat(pay.run(OperationCall.scope(SCOPE).key("key-1").request("x"), writing("debit")))
                .isEqualTo("debit 1");

        assertThat(transactions.ledger()).containsExactly("debit");
        assertThat(world.state("pay", "key-1")).isEqualTo(RecordState.COMPLETED);
        assertThat(world.events.of(RefrainEvent.Completed.class)).hasSize(1);
    }

    @Test
    void anotherRequestUnderTheSameKeyIsAMismatchAndNothingIsWritten() {
        pay.run(call("x"), writing("debit"));

        assertThatThrownBy(() -> pay.run(call("y"), writing("debit"))).isInstanceOf(RequestMismatchException.class);
        assertThat(transactions.ledger()).containsExactly("debit");
    }

    @Test
    void equalOrDifferentTwinIsBusyWithoutWaitingWhileTheFirstIsUncommitted() {
        var gate = new ThreadGate();
        var first = BackgroundCall.run(() -> pay.run(call("x"), (claim, books) -> {
            books.write("debit");
            gate.pass();
            return "done";
        }));
        gate.awaitArrival();

        assertThatThrownBy(() -> pay.run(call("x"), writing("twin"))).isInstanceOf(InProgressException.class);
        assertThat(pay.runForResult(call("y"), writing("twin"))).isInstanceOf(OperationResult.InProgress.class);
        assertThat(transactions.open())
                .as("only the first one holds a connection")
                .isEqualTo(1);

        gate.open();
        assertThat(first.get()).isEqualTo("done");
        assertThat(transactions.ledger()).containsExactly("debit");
    }

    @Test
    void twinThatWaitsHoldsNoConnectionAndIsWokenByTheCommit() {
        var waiting = operation().waitWhileInFlight(Duration.ofSeconds(10)).transactional(transactions);
        var gate = new ThreadGate();
        var first = BackgroundCall.run(() -> waiting.run(call("x"), (claim, books) -> {
            gate.pass();
            return "done";
        }));
        gate.awaitArrival();
        var twins = BackgroundCall.run(10, () -> waiting.run(call("x"), writing("twin")));
        twins.forEach(BackgroundCall::parked);
        assertThat(transactions.open()).isEqualTo(1);

        gate.open();

        assertThat(twins.stream().map(BackgroundCall::get)).containsOnly("done");
        first.get();
        assertThat(transactions.ledger()).isEmpty();
    }

    @Test
    void twinThatWaitsTestsTheLockRarelyHoweverLongItTakes() {
        var waiting = operation().waitWhileInFlight(Duration.ofSeconds(30)).transactional(transactions);
        var gate = new ThreadGate();
        var first = BackgroundCall.run(() -> pay.run(call("x"), (claim, books) -> {
            gate.pass();
            return "done";
        }));
        gate.awaitArrival();
        var twin = BackgroundCall.run(() -> waiting.run(call("x"), writing("twin")))
                .parked();

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
    void failedRunWakesOneOfThoseWhoWaitInThisProcess() {
        var waiting = operation().waitWhileInFlight(Duration.ofSeconds(10)).transactional(transactions);
        var gate = new ThreadGate();
        var first = BackgroundCall.run(() -> waiting.run(call("x"), (claim, books) -> {
            gate.pass();
            throw new IllegalStateException("failed");
        }));
        gate.awaitArrival();
        var waiter = BackgroundCall.run(() -> waiting.run(call("x"), writing("debit")))
                .parked();

        gate.open();

        assertThat(first.failure()).isInstanceOf(IllegalStateException.class);
        assertThat(waiter.get()).isEqualTo("debit 1");
        assertThat(world.environment.nanoTime()).as("no poll was needed").isZero();
    }

    @Test
    void closingFinishesWhatRunsAndTakesNothingNew() {
        var gate = new ThreadGate();
        var slow = BackgroundCall.run(() -> pay.run(call("x"), (claim, books) -> {
            books.write("debit");
            gate.passUnlessInterrupted();
            return "done";
        }));
        gate.awaitArrival();
        var closing =
                BackgroundCall.run(() -> refrain.close(Duration.ofSeconds(30))).parked();

        assertThatThrownBy(() -> pay.run(OperationCall.scope(SCOPE).key("key-2").request("x"), writing("new")))
                .isInstanceOf(ShuttingDownException.class);
        gate.open();

        assertThat(slow.get()).isEqualTo("done");
        advancing(world, Duration.ofMillis(20), closing::isDone);
        assertThat(closing.get()).isEmpty();
        assertThat(transactions.ledger()).containsExactly("debit");
    }

    @Test
    void transactionsOfAnotherStoreAreRefusedAtStart() {
        assertThatThrownBy(() -> operation().transactional(new InMemoryTransactionFactory(new MemoryStore())))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("another store");
    }

    @Test
    void transactionalWorkThatFailsOpenIsRefusedAtStart() {
        assertThatThrownBy(() -> operation().failOpen().transactional(transactions))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("pay cannot fail open");
    }

    @Test
    void manyTwinsWriteOnce() {
        var results = BackgroundCall.run(100, () -> pay.runForResult(call("x"), writing("debit")));

        assertThat(results.stream().map(BackgroundCall::get))
                .allMatch(r -> r instanceof OperationResult.Ran
                        || r instanceof OperationResult.Replayed
                        || r instanceof OperationResult.InProgress);
        assertThat(transactions.ledger()).isEqualTo(List.of("debit"));
    }
}
