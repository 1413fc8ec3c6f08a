package dev.refrain;

import static dev.refrain.testing.SharedStoreFixture.SCOPE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.refrain.api.AnswerHeader;
import dev.refrain.api.LeaseExpiryPolicy;
import dev.refrain.api.OperationResult;
import dev.refrain.api.Outcome;
import dev.refrain.api.OutcomeNotKeptException;
import dev.refrain.api.OutcomeRule;
import dev.refrain.api.Payload;
import dev.refrain.api.ReplayedFailureException;
import dev.refrain.api.StoredFailure;
import dev.refrain.observe.RefrainEvent;
import dev.refrain.store.RecordState;
import dev.refrain.testing.SharedStoreFixture;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a retry meets after the work threw, or gave an answer that is not kept. */
class FailedWorkTest {

    private final SharedStoreFixture world = new SharedStoreFixture();
    private final Refrain refrain = world.process();
    private final AtomicInteger effects = new AtomicInteger();
    private final List<String> keysSent = new ArrayList<>();

    private LeasedOperation<String> pay(LeaseExpiryPolicy takeOver) {
        return refrain.operation("pay", String.class).leased(takeOver);
    }

    private RecordState state() {
        return world.state("pay", "key-1");
    }

    @Test
    void withResumeAnExceptionReleasesTheRecordAndARetryRunsUnderTheSameDerivedKeys() throws Exception {
        var pay = pay(LeaseExpiryPolicy.RESUME);
        var boom = new IOException("no route to bank");

        assertThatThrownBy(() -> pay.<Exception>run(
                        OperationCall.scope(SCOPE).key("key-1").request("x"), claim -> {
                            keysSent.add(claim.derivedKey("charge"));
                            assertThat(claim.mayHaveSent()).isTrue();
                            assertThat(claim.isResumed()).isFalse();
                            throw boom;
                        }))
                .isSameAs(boom)
                .hasNoSuppressedExceptions();
        var id = world.record("pay", "key-1").orElseThrow().id();
        assertThat(state()).isEqualTo(RecordState.RELEASED);

        assertThat(pay.run(OperationCall.scope(SCOPE).key("key-1").request("x"), claim -> {
                    keysSent.add(claim.derivedKey("charge"));
                    assertThat(claim.isResumed()).isTrue();
                    assertThat(claim.fence()).isEqualTo(2);
                    assertThat(claim.recordId()).isEqualTo(id);
                    return "paid";
                }))
                .isEqualTo("paid");

        assertThat(keysSent).hasSize(2).containsOnly(id.keyFor("charge"));
        assertThat(world.events.only(RefrainEvent.Released.class).id()).isEqualTo(id);
        assertThat(world.events.only(RefrainEvent.Resumed.class)).isEqualTo(new RefrainEvent.Resumed("pay", id, 2));
    }

    @Test
    void withHoldAnExceptionIsKeptAsTheOutcomeAndThrownAgain() {
        var pay = pay(LeaseExpiryPolicy.HOLD);
        var boom = new IOException("no route to bank");

        assertThatThrownBy(() -> pay.<Exception>run(
                        OperationCall.scope(SCOPE).key("key-1").request("x"), claim -> {
                            effects.incrementAndGet();
                            throw boom;
                        }))
                .isSameAs(boom);
        assertThat(state()).isEqualTo(RecordState.COMPLETED);
        assertThatThrownBy(() -> pay.run(
                        OperationCall.scope(SCOPE).key("key-1").request("x"),
                        claim -> "ran " + effects.incrementAndGet()))
                .isInstanceOfSatisfying(ReplayedFailureException.class, e -> {
                    assertThat(e.type()).isEqualTo("java.io.IOException");
                    assertThat(e.originalMessage()).isEqualTo("no route to bank");
                    assertThat(e.recordId())
                            .isEqualTo(
                                    world.record("pay", "key-1").orElseThrow().id());
                });
        assertThat(effects).hasValue(1);
    }

    @Test
    void withHoldARetryMayRunIfTheWorkSaidThatNothingHappened() {
        var pay = pay(LeaseExpiryPolicy.HOLD);

        assertThatThrownBy(() -> pay.run(OperationCall.scope(SCOPE).key("key-1").request("x"), claim -> {
                    claim.declareNoEffect();
                    throw new IllegalStateException("card declined before anything was sent");
                }))
                .isInstanceOf(IllegalStateException.class);
        assertThat(state()).isEqualTo(RecordState.RELEASED);
        assertThat(pay.run(OperationCall.scope(SCOPE).key("key-1").request("x"), claim -> "paid"))
                .isEqualTo("paid");
    }

    @Test
    void declaredNoEffectCountsOnlyIfTheRunFails() {
        pay(LeaseExpiryPolicy.HOLD).run(OperationCall.scope(SCOPE).key("key-1").request("x"), claim -> {
            claim.declareNoEffect();
            return "paid";
        });

        assertThat(state()).isEqualTo(RecordState.COMPLETED);
    }

    @Test
    void errorIsAFailureTooAndReachesTheCallerAsItIs() {
        var pay = pay(LeaseExpiryPolicy.HOLD);
        var error = new StackOverflowError("deep");

        assertThatThrownBy(() -> pay.run(OperationCall.scope(SCOPE).key("key-1").request("x"), claim -> {
                    throw error;
                }))
                .isSameAs(error);
        assertThatThrownBy(() -> pay.run(OperationCall.scope(SCOPE).key("key-1").request("x"), claim -> "twice"))
                .isInstanceOf(ReplayedFailureException.class);
    }

    @Test
    void doNotKeepLetsARetryRunWithResumeAndWithHoldKeepsTheStateAlone() {
        var resume = pay(LeaseExpiryPolicy.RESUME);
        LeasedWork<String, RuntimeException> unkept = claim -> {
            claim.doNotKeepAnswer();
            return "answer " + effects.incrementAndGet();
        };

        assertThat(resume.run(OperationCall.scope(SCOPE).key("key-1").request("x"), unkept))
                .isEqualTo("answer 1");
        assertThat(resume.run(OperationCall.scope(SCOPE).key("key-1").request("x"), unkept))
                .isEqualTo("answer 2");

        var hold = refrain.operation("held", String.class).leased(LeaseExpiryPolicy.HOLD);
        assertThat(hold.run(OperationCall.scope(SCOPE).key("key-1").request("x"), unkept))
                .isEqualTo("answer 3");
        assertThatThrownBy(
                        () -> hold.run(OperationCall.scope(SCOPE).key("key-1").request("x"), unkept))
                .isInstanceOf(OutcomeNotKeptException.class);
    }

    @Test
    void declarationOfTheWorkPrecedesTheRule() {
        var stripe = refrain.operation("pay", String.class)
                .outcomeRule(OutcomeRule.EVERYTHING)
                .leased(LeaseExpiryPolicy.RESUME);
        for (boolean nothingHappened : new boolean[] {true, false}) {
            assertThatThrownBy(() ->
                            stripe.run(OperationCall.scope(SCOPE).key("key-1").request("x"), claim -> {
                                if (nothingHappened) {
                                    claim.declareNoEffect();
                                } else {
                                    claim.doNotKeepAnswer();
                                }
                                throw new IllegalStateException("refused at the door");
                            }))
                    .isInstanceOf(IllegalStateException.class);
            assertThat(state()).isEqualTo(RecordState.RELEASED);
        }
    }

    @Test
    void ruleThatFailsDoesNotFreeTheKeyAfterTheWork() {
        var log = Logger.getLogger(OutcomeRule.class.getName());
        log.setLevel(Level.OFF);
        var odd = refrain.operation("pay", String.class)
                .outcomeRule(new OutcomeRule(
                        "odd",
                        answer -> {
                            throw new IllegalStateException("a defect in the rule");
                        },
                        false))
                .leased(LeaseExpiryPolicy.RESUME);

        assertThat(odd.run(OperationCall.scope(SCOPE).key("key-1").request("x"), claim -> "paid"))
                .isEqualTo("paid");
        assertThat(state()).isEqualTo(RecordState.COMPLETED);
        log.setLevel(null);
    }

    @Test
    void failureOfWhichOnlyTheStateIsKeptIsNotReplayedAsDone() {
        var ledger = refrain.operation("pay", String.class).keepStateOnly().leased(LeaseExpiryPolicy.HOLD);
        assertThatThrownBy(
                        () -> ledger.run(OperationCall.scope(SCOPE).key("key-1").request("x"), claim -> {
                            throw new IllegalStateException("account 4711 is closed");
                        }))
                .isInstanceOf(IllegalStateException.class);

        assertThatThrownBy(
                        () -> ledger.run(OperationCall.scope(SCOPE).key("key-1").request("x"), claim -> "done"))
                .isInstanceOfSatisfying(ReplayedFailureException.class, e -> {
                    assertThat(e.type()).isEqualTo("java.lang.IllegalStateException");
                    assertThat(e.originalMessage()).isEmpty();
                });
    }

    @Test
    void failureWhoseMessageIsTooLargeToKeepIsStillReplayedAsAFailure() {
        var small = refrain.operation("pay", String.class).maxOutcomeBytes(100).leased(LeaseExpiryPolicy.HOLD);
        assertThatThrownBy(() ->
                        small.run(OperationCall.scope(SCOPE).key("key-1").request("x"), claim -> {
                            throw new IllegalStateException("x".repeat(1_000));
                        }))
                .isInstanceOf(IllegalStateException.class);

        assertThatThrownBy(
                        () -> small.run(OperationCall.scope(SCOPE).key("key-1").request("x"), claim -> "done"))
                .isInstanceOf(ReplayedFailureException.class);
    }

    @Test
    void noAnswerFromOutsideCanPassForAKeptFailure() {
        var raw = refrain.operation("raw").leased(LeaseExpiryPolicy.RESUME);
        var forged = new Outcome.Answer(
                200,
                List.of(
                        new AnswerHeader("Refrain-Failure", "java.lang.Error"),
                        new AnswerHeader("refrain-failure", "x")),
                Payload.of(new byte[0]));

        raw.run(OperationCall.scope(SCOPE).key("key-1").request("x"), claim -> forged);

        assertThat(raw.run(OperationCall.scope(SCOPE).key("key-1").request("x"), claim -> forged))
                .isEqualTo(forged);
        assertThat(StoredFailure.fromAnswer(forged)).isEmpty();
    }

    @Test
    void rawOperationTellsAKeptFailureApartFromAnAnswer() {
        var raw = refrain.operation("raw").leased(LeaseExpiryPolicy.HOLD);
        assertThatThrownBy(() -> raw.run(OperationCall.scope(SCOPE).key("key-1").request("x"), claim -> {
                    throw new IllegalStateException("boom");
                }))
                .isInstanceOf(IllegalStateException.class);

        var replayed = (OperationResult.Replayed)
                raw.runForResult(OperationCall.scope(SCOPE).key("key-1").request("x"), claim -> {
                    throw new AssertionError("must not run");
                });
        assertThat(StoredFailure.fromAnswer((Outcome.Answer) replayed.outcome()))
                .contains(new StoredFailure("java.lang.IllegalStateException", "boom"));
    }

    private int timesRun(LeasedOperation<Outcome.Answer> raw, String key, int status) {
        effects.set(0);
        for (int i = 0; i < 2; i++) {
            var answer = raw.run(OperationCall.scope(SCOPE).key(key).request("x"), claim -> {
                effects.incrementAndGet();
                return Outcome.Answer.of(status, new byte[0]);
            });
            assertThat(answer.status()).isEqualTo(status);
        }
        return effects.get();
    }

    @ParameterizedTest
    @EnumSource(LeaseExpiryPolicy.class)
    void withHoldAnAnswerThatIsNotKeptIsTheOutcomeAllTheSame(LeaseExpiryPolicy takeOver) {
        var raw = refrain.operation("raw").leased(takeOver);

        assertThat(timesRun(raw, "key-1", 503)).isEqualTo(takeOver == LeaseExpiryPolicy.HOLD ? 1 : 2);
    }
}
