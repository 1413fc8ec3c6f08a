package dev.refrain;

import static dev.refrain.testing.SharedStoreFixture.SCOPE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.refrain.api.Outcome;
import dev.refrain.api.OutcomeNotKeptException;
import dev.refrain.api.OutcomeRule;
import dev.refrain.api.ReplayedFailureException;
import dev.refrain.api.Retention;
import dev.refrain.observe.RefrainEvent;
import dev.refrain.store.StoreOverloadedException;
import dev.refrain.store.WorkRolledBackException;
import dev.refrain.testing.InMemoryTransactionFactory.InMemoryTransaction;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What becomes of work in a transaction that fails, or whose answer is not kept. */
class TransactionalOperationFailureTest extends TransactionalTestBase {

    @Test
    void exceptionRollsBackEverythingAndARetryRuns() {
        var boom = new IOException("constraint violated");

        assertThatThrownBy(() -> pay.<Exception>run(call("x"), (claim, books) -> {
                    books.write("half");
                    throw boom;
                }))
                .isSameAs(boom);

        assertThat(transactions.ledger()).isEmpty();
        assertThat(world.record("pay", "key-1")).isEmpty();
        assertThat(world.events.of(RefrainEvent.Released.class)).hasSize(1);
        assertThat(pay.run(call("x"), writing("debit"))).isEqualTo("debit 1");
    }

    @Test
    void keptExceptionRollsBackTheWorkAndCommitsTheFailure() {
        var stripe = operation().outcomeRule(OutcomeRule.EVERYTHING).transactional(transactions);

        assertThatThrownBy(() -> stripe.run(call("x"), (claim, books) -> {
                    books.write("half");
                    throw new IllegalStateException("declined");
                }))
                .isInstanceOf(IllegalStateException.class)
                .hasNoSuppressedExceptions();

        assertThat(transactions.ledger()).isEmpty();
        assertThatThrownBy(() -> stripe.run(call("x"), writing("debit")))
                .isInstanceOfSatisfying(
                        ReplayedFailureException.class,
                        e -> assertThat(e.originalMessage()).isEqualTo("declined"));
        assertThat(world.events.of(RefrainEvent.Released.class)).isEmpty();
    }

    @Test
    void declarationOfTheWorkPrecedesTheProfile() {
        var stripe = operation().outcomeRule(OutcomeRule.EVERYTHING).transactional(transactions);

        assertThatThrownBy(() -> stripe.run(call("x"), (claim, books) -> {
                    claim.declareNoEffect();
                    throw new IllegalStateException("refused at the door");
                }))
                .isInstanceOf(IllegalStateException.class);

        assertThat(world.record("pay", "key-1")).isEmpty();
    }

    @Test
    void successThatTheRuleDoesNotKeepIsDoneOnceAndARetryLearnsIt() {
        var square = refrain.operation("pay")
                .outcomeRule(new OutcomeRule("square", answer -> answer.status() != 303, false))
                .transactional(transactions);

        assertThat(answer(square, 303).status()).isEqualTo(303);

        assertThat(transactions.ledger()).containsExactly("entry 1");
        assertThatThrownBy(() -> answer(square, 303)).isInstanceOf(OutcomeNotKeptException.class);
        assertThat(transactions.ledger()).containsExactly("entry 1");
    }

    @Test
    void successThatTheWorkDoesNotKeepIsDoneUnlessItSaysThatNothingHappened() {
        assertThat(pay.run(call("x"), (claim, books) -> {
                    books.write("debit");
                    claim.doNotKeepAnswer();
                    return "done";
                }))
                .isEqualTo("done");
        assertThat(transactions.ledger()).containsExactly("debit");
        assertThatThrownBy(() -> pay.run(call("x"), writing("again"))).isInstanceOf(OutcomeNotKeptException.class);

        var other = OperationCall.scope(SCOPE).key("key-2").request("x");
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

    private Outcome.Answer answer(TransactionalOperation<Outcome.Answer, InMemoryTransaction> raw, int status) {
        return raw.run(call("x"), (claim, books) -> {
            books.write("entry " + runs.incrementAndGet());
            return Outcome.Answer.of(status, new byte[0]);
        });
    }

    @Test
    void answerThatIsNotKeptReachesTheCallerAndRollsBackEverything() {
        var raw = refrain.operation("pay").transactional(transactions);

        assertThat(answer(raw, 503).status()).isEqualTo(503);
        assertThat(answer(raw, 201).status()).isEqualTo(201);

        assertThat(transactions.ledger()).containsExactly("entry 2");
    }

    @Test
    void serverErrorOfWhichOnlyTheStateWouldBeKeptIsRolledBackAndNotKept() {
        var raw = refrain.operation("pay")
                .outcomeRule(OutcomeRule.EVERYTHING)
                .keepStateOnly()
                .transactional(transactions);

        assertThat(answer(raw, 500).status()).isEqualTo(500);
        assertThat(transactions.ledger()).isEmpty();
        assertThat(answer(raw, 201).status()).isEqualTo(201);
        assertThat(transactions.ledger()).containsExactly("entry 2");
    }

    @Test
    void keptServerErrorRollsBackTheWorkAndCommitsTheOutcome() {
        var raw = refrain.operation("pay").outcomeRule(OutcomeRule.EVERYTHING).transactional(transactions);

        assertThat(answer(raw, 500).status()).isEqualTo(500);
        assertThat(answer(raw, 500).status()).isEqualTo(500);

        assertThat(runs).hasValue(1);
        assertThat(transactions.ledger()).isEmpty();
    }

    /** The handler ran and its connection was lost: a failure to roll back its work alone must not be called "not run". */
    @Test
    void workThatCannotBeRolledBackAloneIsReportedAsRolledBack() {
        var kept = refrain.operation("pay").outcomeRule(OutcomeRule.EVERYTHING).transactional(transactions);
        var notKept = refrain.operation("pay").transactional(transactions);
        transactions.failToRollBackWork();

        for (var raw : List.of(kept, notKept)) {
            assertThatThrownBy(() -> answer(raw, 500))
                    .isInstanceOfSatisfying(
                            WorkRolledBackException.class,
                            e -> assertThat(e.isTransient()).isTrue())
                    .hasMessageContaining("Its transaction was lost")
                    .hasRootCauseMessage("Rolling back the work: no connection.");
        }
        assertThat(transactions.ledger()).isEmpty();
        assertThat(world.events.of(RefrainEvent.Released.class)).hasSize(2);
    }

    @Test
    void workThatWasFencedOutAndCannotBeRolledBackAloneIsReportedAsRolledBack() {
        assertThatThrownBy(() -> pay.run(call("x"), (claim, books) -> {
                    books.write("mine");
                    completeMeanwhile("theirs");
                    transactions.failToRollBackWork();
                    return "mine";
                }))
                .isInstanceOf(WorkRolledBackException.class);
        assertThat(transactions.ledger()).isEmpty();
    }

    @Test
    void keptRefusalKeepsWhatTheWorkWrote() {
        var raw = refrain.operation("pay").transactional(transactions);

        answer(raw, 422);
        answer(raw, 422);

        assertThat(transactions.ledger()).containsExactly("entry 1");
    }

    @Test
    void rawWorkThatGivesNullHasFailedAndNothingIsLeftOfIt() {
        var raw = refrain.operation("pay").transactional(transactions);

        assertThatThrownBy(() -> raw.run(call("x"), (claim, books) -> {
                    books.write("half");
                    return null;
                }))
                .isInstanceOf(NullPointerException.class)
                .hasMessageContaining("the work returned null");
        assertThat(transactions.ledger()).isEmpty();
    }

    @Test
    void typedWorkThatGivesNothingGivesNothingAgain() {
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
    void workCanKeepItsOutcomeForAnotherTime() {
        pay.run(call("x"), (claim, books) -> {
            claim.retainFor(Retention.of(Duration.ofDays(30)));
            return "done";
        });

        assertThat(world.record("pay", "key-1").orElseThrow().remainingLife()).contains(Duration.ofDays(30));
    }

    @Test
    void overloadedCallIsRefusedBeforeItsRequestIsEvenCompared() {
        transactions.overload();
        // No codec can write it, which is found out when it is compared.
        var request = new Object() {
            @SuppressWarnings("unused")
            public String getCard() {
                throw new IllegalStateException("was compared");
            }
        };

        assertThat(pay.isOverloaded(SCOPE)).isTrue();
        assertThatThrownBy(() -> pay.run(OperationCall.scope(SCOPE).key("key-1").request(request), writing("debit")))
                .isInstanceOf(StoreOverloadedException.class)
                .hasMessageContaining("Nothing ran");
        assertThat(transactions.ledger()).isEmpty();
    }
}
