package dev.refrain;

import static dev.refrain.testing.Until.advancing;
import static dev.refrain.testing.World.SCOPE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.refrain.observe.Event;
import dev.refrain.run.OutcomeUnknownException;
import dev.refrain.run.RunResult;
import dev.refrain.store.StoreException;
import dev.refrain.store.StoreException.Effect;
import dev.refrain.testing.Background;
import dev.refrain.testing.MemoryTransactions.Commit;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A commit that fails, or of which nobody hears. */
class LostCommitTest extends InTransactions {

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
        var first = Background.run(() -> pay.runForResult(call("x"), writing("debit")));

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
}
