package dev.refrain;

import static dev.refrain.testing.SharedStoreFixture.SCOPE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.refrain.api.InProgressException;
import dev.refrain.api.LeaseExpiryPolicy;
import dev.refrain.api.OperationResult;
import dev.refrain.observe.RefrainEvent;
import dev.refrain.store.WorkRolledBackException;
import dev.refrain.testing.BackgroundCall;
import dev.refrain.testing.ThreadGate;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** Someone else was quicker with the same key. */
class ConcurrentCompletionTest extends TransactionalTestBase {

    /** Someone who does not take the lock, such as a leased run of the same key, gets in between. */
    @Test
    void loserOfCompletionRaceReplaysWinnerAndRollsBack() {
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
        assertThat(world.events.of(RefrainEvent.FencedOut.class)).hasSize(1);
        assertThat(world.events.of(RefrainEvent.Released.class)).isEmpty();
    }

    @Test
    void loserOfRaceWithARunningClaimIsBusyAndRollsBack() {
        var gate = new ThreadGate();
        var elsewhere = world.process().operation("pay", String.class).leased(LeaseExpiryPolicy.RESUME);
        var other = new AtomicReference<BackgroundCall<String>>();

        assertThatThrownBy(() -> pay.run(call("x"), (claim, books) -> {
                    books.write("mine");
                    other.set(BackgroundCall.run(() -> elsewhere.run(
                            OperationCall.scope(SCOPE).key("key-1").request("x"), c -> {
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

    /** The first run was rolled back: that it cannot run again must not be called "not run". */
    @Test
    void loserThatCannotRunAgainIsReportedAsRolledBack() {
        assertThatThrownBy(() -> pay.run(call("x"), (claim, books) -> {
                    books.write("mine");
                    completeMeanwhile("theirs");
                    transactions.pool(0);
                    return "mine";
                }))
                .isInstanceOf(WorkRolledBackException.class)
                .hasMessageContaining("A concurrent call changed its key");
        assertThat(transactions.ledger()).isEmpty();
    }

    @Test
    void callerThatLosesEveryRaceIsBusyAndStopsRetrying() {
        var result = pay.runForResult(call("x"), (claim, books) -> {
            books.write("mine");
            runs.incrementAndGet();
            assertThatThrownBy(() -> world.process()
                            .operation("pay", String.class)
                            .leased(LeaseExpiryPolicy.RESUME)
                            .run(OperationCall.scope(SCOPE).key("key-1").request("x"), c -> {
                                throw new IllegalStateException("and releases");
                            }))
                    .isInstanceOf(IllegalStateException.class);
            return "mine";
        });

        assertThat(result).isInstanceOf(OperationResult.InProgress.class);
        assertThat(runs.get()).isBetween(2, 20);
        assertThat(transactions.ledger()).isEmpty();
    }

    @Test
    void releasedRecordIsContinuedUnderItsId() {
        assertThatThrownBy(() -> refrain.operation("pay", String.class)
                        .leased(LeaseExpiryPolicy.RESUME)
                        .run(OperationCall.scope(SCOPE).key("key-1").request("x"), claim -> {
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
        assertThat(world.events.only(RefrainEvent.Resumed.class).fence()).isEqualTo(2);
    }
}
