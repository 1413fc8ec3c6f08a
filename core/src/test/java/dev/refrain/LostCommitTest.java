package dev.refrain;

import static dev.refrain.testing.AwaitCondition.advancing;
import static dev.refrain.testing.SharedStoreFixture.SCOPE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.refrain.api.OperationResult;
import dev.refrain.api.OutcomeUnknownException;
import dev.refrain.observe.RefrainEvent;
import dev.refrain.store.StoreException;
import dev.refrain.store.StoreException.Effect;
import dev.refrain.testing.BackgroundCall;
import dev.refrain.testing.InMemoryTransactionFactory.CommitFault;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A commit that fails, or of which nobody hears. */
class LostCommitTest extends TransactionalTestBase {

    @Test
    void commitThatFailedForCertainIsReportedAndARetryRuns() {
        transactions.nextCommit(CommitFault.FAILS);

        assertThatThrownBy(() -> pay.run(call("x"), writing("debit")))
                .isInstanceOfSatisfying(
                        StoreException.class, e -> assertThat(e.effect()).isEqualTo(Effect.NONE));
        assertThat(transactions.ledger()).isEmpty();
        assertThat(pay.run(call("x"), writing("debit"))).isEqualTo("debit 2");
        assertThat(transactions.ledger()).containsExactly("debit");
    }

    @Test
    void commitWhoseReplyWasLostIsSettledByTakingTheLockAgainAndReading() {
        transactions.nextCommit(CommitFault.REPLY_LOST);

        assertThat(pay.run(call("x"), writing("debit"))).isEqualTo("debit 1");

        assertThat(transactions.ledger()).containsExactly("debit");
        assertThat(world.events.of(RefrainEvent.Completed.class)).hasSize(1);
        assertThat(world.events.of(RefrainEvent.OutcomeUnknown.class)).isEmpty();
    }

    @Test
    void commitThatWasLostAltogetherIsSettledTheOtherWayAndARetryRuns() {
        transactions.nextCommit(CommitFault.LOST);

        assertThatThrownBy(() -> pay.run(call("x"), writing("debit")))
                .isInstanceOfSatisfying(
                        StoreException.class, e -> assertThat(e.effect()).isEqualTo(Effect.NONE))
                .hasMessageContaining("nothing took effect");
        assertThat(pay.run(call("x"), writing("debit"))).isEqualTo("debit 2");
        assertThat(transactions.ledger()).containsExactly("debit");
    }

    @Test
    void whileTheLostTransactionStillHoldsTheLockNothingIsKnownAndItIsAskedAgain() {
        transactions.nextCommit(CommitFault.LOST_AND_LINGERS);
        var first = BackgroundCall.run(() -> pay.run(call("x"), writing("debit")));
        advancing(world, Duration.ofMillis(50), () -> transactions.entered() > 3);
        assertThat(first.isDone()).isFalse();

        transactions.noticeLostConnections();
        advancing(world, Duration.ofMillis(50), first::isDone);

        assertThat(first.failure()).hasMessageContaining("nothing took effect");
        assertThat(transactions.ledger()).isEmpty();
    }

    @Test
    void lostCommitThatCannotBeCheckedHasAnUnknownOutcome() {
        transactions.nextCommit(CommitFault.LOST_AND_LINGERS);
        var first = BackgroundCall.run(() -> pay.run(call("x"), writing("debit")));

        advancing(world, Duration.ofSeconds(1), first::isDone);

        assertThat(first.failure()).isInstanceOf(OutcomeUnknownException.class);
        assertThat(world.events.of(RefrainEvent.OutcomeUnknown.class)).hasSize(1);
        assertThat(world.events.of(RefrainEvent.Released.class))
                .as("nobody knows that")
                .isEmpty();
        transactions.noticeLostConnections();
        assertThat(pay.run(call("x"), writing("debit"))).isEqualTo("debit 2");
    }

    @ParameterizedTest
    @EnumSource(
            value = CommitFault.class,
            names = {"REPLY_LOST", "LOST"})
    void findingOutTakesNoSecondConnectionBesideTheBrokenOne(CommitFault commit) {
        transactions.pool(1);
        transactions.nextCommit(commit);
        var first = BackgroundCall.run(() -> pay.runForResult(call("x"), writing("debit")));

        advancing(world, Duration.ofMillis(50), first::isDone);

        if (commit == CommitFault.REPLY_LOST) {
            assertThat(first.get()).isInstanceOf(OperationResult.Ran.class);
        } else {
            assertThat(first.failure()).hasMessageContaining("nothing took effect");
        }
    }

    @Test
    void outcomeOfATwinAfterALostCommitIsNotTakenForOnesOwn() {
        transactions.nextCommit(CommitFault.LOST_AND_LINGERS);
        var first = BackgroundCall.run(() -> pay.run(call("x"), writing("debit")));
        advancing(world, Duration.ofMillis(50), () -> transactions.entered() > 1);
        completeMeanwhile("theirs");
        transactions.noticeLostConnections();
        advancing(world, Duration.ofMillis(50), first::isDone);

        assertThat(first.failure()).hasMessageContaining("nothing took effect");
        assertThat(pay.run(call("x"), writing("debit"))).isEqualTo("theirs");
        assertThat(transactions.ledger()).isEmpty();
    }

    @Test
    void connectionThatBreaksWhenItIsGivenBackChangesNoAnswer() {
        transactions.failToClose();

        assertThat(pay.run(call("x"), writing("debit"))).isEqualTo("debit 1");
        assertThat(pay.run(call("x"), writing("debit"))).isEqualTo("debit 1");
        assertThatThrownBy(() -> pay.run(OperationCall.scope(SCOPE).key("key-2").request("x"), (claim, books) -> {
                    throw new IllegalStateException("the work's own");
                }))
                .isInstanceOf(IllegalStateException.class);

        assertThat(transactions.ledger()).containsExactly("debit");
        assertThat(world.events.of(RefrainEvent.StoreFailed.class))
                .extracting(RefrainEvent.StoreFailed::call)
                .containsOnly("transactions");
    }

    @Test
    void poolWithoutAConnectionIsAnUnavailableStoreAndNothingRuns() {
        transactions.pool(0);

        assertThatThrownBy(() -> pay.run(call("x"), writing("debit")))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("pool");
        assertThat(runs).hasValue(0);
    }
}
