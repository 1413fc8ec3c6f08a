package dev.refrain;

import static dev.refrain.testing.World.SCOPE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.refrain.observe.Event;
import dev.refrain.outcome.Outcome;
import dev.refrain.outcome.Profile;
import dev.refrain.outcome.Retention;
import dev.refrain.testing.MemoryTransactions.Books;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** What becomes of work in a transaction that fails, or whose answer is not kept. */
class TransactionalFailureTest extends InTransactions {

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
                    claim.declareNoEffect();
                    throw new IllegalStateException("refused at the door");
                }))
                .isInstanceOf(IllegalStateException.class);

        assertThat(world.record("pay", "key-1")).isEmpty();
    }

    @Test
    void a_success_that_the_profile_does_not_keep_is_done_once_and_a_retry_is_told_so() {
        var square = refrain.operation("pay").profile(Profile.SQUARE).transactional(transactions);

        assertThat(answer(square, 303).status()).isEqualTo(303);

        assertThat(transactions.ledger()).containsExactly("entry 1");
        assertThatThrownBy(() -> answer(square, 303)).isInstanceOf(OutcomeNotKeptException.class);
        assertThat(transactions.ledger()).containsExactly("entry 1");
    }

    @Test
    void a_success_that_the_work_does_not_keep_is_done_unless_it_says_that_nothing_happened() {
        assertThat(pay.run(call("x"), (claim, books) -> {
                    books.write("debit");
                    claim.doNotKeepAnswer();
                    return "done";
                }))
                .isEqualTo("done");
        assertThat(transactions.ledger()).containsExactly("debit");
        assertThatThrownBy(() -> pay.run(call("x"), writing("again"))).isInstanceOf(OutcomeNotKeptException.class);

        var other = Call.of(SCOPE, "key-2", "x");
        assertThat(pay.run(other, (claim, books) -> {
                    books.write("tried");
                    claim.doNotKeepAnswer();
                    claim.declareNoEffect();
                    return "come back later";
                }))
                .isEqualTo("come back later");
        assertThat(transactions.ledger()).containsExactly("debit");
        assertThat(pay.run(other, writing("credit"))).isEqualTo("credit 1");
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
        var raw = refrain.operation("pay").profile(Profile.STRIPE).keepStateOnly().transactional(transactions);

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
            claim.retainFor(Retention.of(Duration.ofDays(30)));
            return "done";
        });

        assertThat(world.record("pay", "key-1").orElseThrow().remainingLife()).contains(Duration.ofDays(30));
    }
}
