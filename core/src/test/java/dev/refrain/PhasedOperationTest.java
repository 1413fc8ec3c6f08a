package dev.refrain;

import static dev.refrain.testing.SharedStoreFixture.SCOPE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.refrain.api.ClientKey;
import dev.refrain.api.EffectUnknownException;
import dev.refrain.api.OperationResult;
import dev.refrain.api.Outcome;
import dev.refrain.api.Payload;
import dev.refrain.api.RecoveryPoint;
import dev.refrain.phase.PhaseTransition;
import dev.refrain.phase.PhasedClaim;
import dev.refrain.phase.PhasedWork;
import dev.refrain.phase.RetryLaterException;
import dev.refrain.store.AbandonedRecord;
import dev.refrain.store.PhaseRolledBackException;
import dev.refrain.store.RecordState;
import dev.refrain.store.RowRejectedException;
import dev.refrain.store.StoreException;
import dev.refrain.store.StoreOverloadedException;
import dev.refrain.testing.BackgroundCall;
import dev.refrain.testing.InMemoryTransactionFactory;
import dev.refrain.testing.InMemoryTransactionFactory.CommitFault;
import dev.refrain.testing.InMemoryTransactionFactory.InMemoryTransaction;
import dev.refrain.testing.ScriptedStore.StoreMethod;
import dev.refrain.testing.SharedStoreFixture;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ConcurrentModificationException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Work in phases, over transactions in memory; what it makes of real ones is tested with flows. */
class PhasedOperationTest {

    private static final Payload REQUEST = Payload.of("all of it".getBytes(StandardCharsets.UTF_8));
    private static final Outcome.Answer DONE = Outcome.Answer.of(201, new byte[] {1, 2, 3});

    private final SharedStoreFixture world = new SharedStoreFixture();
    private final Refrain refrain = world.process();
    private final InMemoryTransactionFactory transactions = new InMemoryTransactionFactory(world.store);
    private final PhasedOperation<InMemoryTransaction> pay =
            refrain.operation("pay").phased(transactions);
    private final AtomicInteger bodies = new AtomicInteger();
    private final long begunAt = world.environment.nanoTime();

    private OperationResult attempt(PhasedWork<InMemoryTransaction, RuntimeException> work) {
        return pay.run(OperationCall.scope(SCOPE).key("key-1").request("x"), REQUEST, work);
    }

    /** The same for work that pauses. */
    private OperationResult attemptWhileTimePasses(PhasedWork<InMemoryTransaction, RuntimeException> work) {
        var run = BackgroundCall.run(() -> attempt(work));
        while (!run.isDone()) {
            world.advance(Duration.ofMillis(20));
        }
        return run.get();
    }

    private PhaseTransition debit(InMemoryTransaction books) {
        bodies.incrementAndGet();
        books.write("debit");
        return new PhaseTransition.Checkpoint(
                RecoveryPoint.reached("debited"), Optional.of(Payload.of(new byte[] {7})));
    }

    private PhaseTransition credit(InMemoryTransaction books) {
        bodies.incrementAndGet();
        books.write("credit");
        return new PhaseTransition.Completion(DONE);
    }

    /** From wherever it stands. */
    private Outcome.Answer both(PhasedClaim<InMemoryTransaction> claim) {
        if (claim.recoveryPoint().isEmpty()) {
            claim.commit(this::debit);
        }
        claim.commit(this::credit);
        return DONE;
    }

    @AfterEach
    void noTransactionIsLeftOpen() {
        assertThat(transactions.open()).isZero();
    }

    @Test
    void lastPhaseCompletesTheRecordByItself() {
        assertThat(attempt(this::both)).isEqualTo(new OperationResult.Ran(DONE));
        assertThat(world.state("pay", "key-1")).isEqualTo(RecordState.COMPLETED);
        assertThat(transactions.ledger()).containsExactly("debit", "credit");

        assertThat(attempt(claim -> {
                    throw new AssertionError("It is done.");
                }))
                .isInstanceOf(OperationResult.Replayed.class);
    }

    @Test
    void lifetimeOfTheRecordIsBoundedFromBothSidesHoweverLateTheStoreAnswers() {
        world.store.next(StoreMethod.CLAIM, (rows, claim) -> {
            world.advance(Duration.ofSeconds(1));
            var answer = claim.get();
            world.advance(Duration.ofSeconds(1));
            return answer;
        });
        attempt(claim -> {
            world.advance(Duration.ofSeconds(5));
            var truth =
                    world.record("pay", "key-1").orElseThrow().remainingLife().orElseThrow();
            assertThat(claim.maxRemainingLife()).contains(truth.plusSeconds(1));
            assertThat(claim.minRemainingLife()).contains(truth.minusSeconds(1));
            return both(claim);
        });
    }

    @Test
    void retryFindsThePointWhatWasCarriedAndTheRequest() {
        assertThatThrownBy(() -> attempt(claim -> {
                    claim.commit(this::debit);
                    throw new IllegalStateException("killed");
                }))
                .hasMessage("killed");

        attempt(claim -> {
            assertThat(claim.recoveryPoint()).contains(RecoveryPoint.reached("debited"));
            assertThat(claim.carriedState()).contains(Payload.of(new byte[] {7}));
            assertThat(claim.storedRequest()).contains(REQUEST);
            return both(claim);
        });
        assertThat(transactions.ledger()).containsExactly("debit", "credit");
    }

    /** Whatever becomes of the first commit or the second, each phase takes effect once. */
    @ParameterizedTest
    @CsvSource({"REPLY_LOST, 2", "LOST, 3", "FAILS, 3"})
    void commitThatIsInDoubtIsSettledBeforeAnythingElse(CommitFault commit, int bodiesThatRun) {
        transactions.nextCommit(commit);

        assertThat(attemptWhileTimePasses(this::both)).isEqualTo(new OperationResult.Ran(DONE));
        assertThat(transactions.ledger()).containsExactly("debit", "credit");
        assertThat(bodies).hasValue(bodiesThatRun);
    }

    @Test
    void inDoubtCommitOfTheLastPhaseIsSettledToo() {
        var answer = attempt(claim -> {
            claim.commit(this::debit);
            transactions.nextCommit(CommitFault.REPLY_LOST);
            claim.commit(this::credit);
            return DONE;
        });
        assertThat(answer).isEqualTo(new OperationResult.Ran(DONE));
        assertThat(transactions.ledger()).containsExactly("debit", "credit");
    }

    @Test
    void phaseThatLostARaceRunsAgainAndCommitsOnce() {
        attemptWhileTimePasses(claim -> {
            claim.commit(books -> {
                var ending = debit(books);
                if (bodies.get() < 3) {
                    throw new ConcurrentModificationException("could not serialise");
                }
                return ending;
            });
            claim.commit(this::credit);
            return DONE;
        });
        assertThat(transactions.ledger()).containsExactly("debit", "credit");
        assertThat(bodies).hasValue(4);
    }

    @Test
    void phaseTakenOverCommitsNothingAndReplaysTheOthersOutcome() {
        var result = attempt(claim -> {
            claim.commit(this::debit);
            world.clock.advance(Duration.ofMinutes(2));
            var other = world.process();
            var theirs = other.operation("pay")
                    .phased(transactions)
                    .run(OperationCall.scope(SCOPE).key("key-1").request("x"), REQUEST, this::both);
            assertThat(theirs).isEqualTo(new OperationResult.Ran(DONE));
            claim.commit(this::credit);
            throw new AssertionError("It was lost.");
        });
        assertThat(result).isInstanceOf(OperationResult.Replayed.class);
        assertThat(transactions.ledger()).containsExactly("debit", "credit");
    }

    /** What was committed before, or sent, may have taken effect: such a run must not be called "not run". */
    @Test
    void storeThatGoesAwayBetweenPhasesIsReportedAsARunThatCouldNotGoOn() {
        assertThatThrownBy(() -> attempt(claim -> {
                    claim.commit(this::debit);
                    transactions.pool(0);
                    claim.commit(this::credit);
                    throw new AssertionError("It could not begin.");
                }))
                .isInstanceOfSatisfying(
                        PhaseRolledBackException.class,
                        e -> assertThat(e.isTransient()).isTrue())
                .hasMessageContaining("what was committed before it stays")
                .hasRootCauseMessage("The pool has no connection left.");
        assertThatThrownBy(() -> attempt(this::both)).isInstanceOf(PhaseRolledBackException.class);

        transactions.pool(1);
        assertThat(attempt(this::both)).isEqualTo(new OperationResult.Ran(DONE));
        assertThat(transactions.ledger()).containsExactly("debit", "credit");
    }

    @Test
    void callThatWouldWaitInVainForItsFirstConnectionClaimsNothing() {
        transactions.overload();

        assertThatThrownBy(() -> attempt(this::both)).isInstanceOf(StoreOverloadedException.class);

        assertThat(world.record("pay", "key-1")).isEmpty();
        assertThat(bodies).hasValue(0);
    }

    @Test
    void firstPhaseThatWouldWaitInVainIsRefusedAndItsKeyReleased() {
        assertThatThrownBy(() -> attempt(claim -> {
                    transactions.overload();
                    return both(claim);
                }))
                .isInstanceOf(StoreOverloadedException.class);

        assertThat(world.state("pay", "key-1")).isEqualTo(RecordState.RELEASED);
        assertThat(bodies).hasValue(0);
    }

    /** What was committed, or may have been sent, is better finished than refused. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void runThatHasBegunIsNotRefused(boolean committed) {
        var result = attempt(claim -> {
            if (committed) {
                claim.commit(this::debit);
            } else {
                claim.derivedKey("charge");
            }
            transactions.overload();
            claim.commit(this::credit);
            return DONE;
        });

        assertThat(result).isEqualTo(new OperationResult.Ran(DONE));
        assertThat(transactions.ledger()).last().isEqualTo("credit");
    }

    @Test
    void retryOfWhatIsDoneIsReplayedHoweverManyWaitForConnections() {
        attempt(this::both);
        transactions.overload();

        assertThat(attempt(this::both)).isInstanceOf(OperationResult.Replayed.class);
        assertThatThrownBy(
                        () -> pay.run(OperationCall.scope(SCOPE).key("another").request("x"), REQUEST, this::both))
                .isInstanceOf(StoreOverloadedException.class);
    }

    /** What another system answered would be lost with the run, and it may not be asked again. */
    @Test
    void answerOfAForeignCallWaitsForAConnectionAsLongAsTheLeaseLives() {
        var result = attemptWhileTimePasses(claim -> {
            claim.commit(this::debit);
            claim.derivedKey("charge");
            transactions.pool(0);
            world.environment.schedule(Duration.ofMinutes(1), () -> transactions.pool(1));
            claim.commit(this::credit);
            return DONE;
        });

        assertThat(result).isEqualTo(new OperationResult.Ran(DONE));
        assertThat(transactions.ledger()).containsExactly("debit", "credit");
    }

    @Test
    void answerOfAForeignCallOutlastsConflictsOfThePhaseThatStoresIt() {
        attemptWhileTimePasses(claim -> {
            claim.derivedKey("charge");
            claim.commit(books -> {
                var ending = credit(books);
                if (bodies.get() < 30) {
                    throw new ConcurrentModificationException("could not serialise");
                }
                return ending;
            });
            return DONE;
        });

        assertThat(transactions.ledger()).containsExactly("credit");
        assertThat(bodies).hasValue(30);
    }

    @Test
    void answerOfAForeignCallIsStoredByARunThatIsInterruptedWhileItWaits() {
        var interrupted = new AtomicBoolean();
        var result = attemptWhileTimePasses(claim -> {
            claim.derivedKey("charge");
            transactions.pool(0);
            world.environment.schedule(Duration.ofSeconds(1), () -> transactions.pool(1));
            Thread.currentThread().interrupt();
            claim.commit(books -> {
                assertThat(Thread.currentThread().isInterrupted()).isFalse();
                return credit(books);
            });
            interrupted.set(Thread.interrupted());
            return DONE;
        });

        assertThat(result).isEqualTo(new OperationResult.Ran(DONE));
        assertThat(interrupted).isTrue();
    }

    @Test
    void waitForAConnectionEndsWithTheLease() {
        var run = BackgroundCall.run(() -> attempt(claim -> {
            claim.derivedKey("charge");
            transactions.pool(0);
            claim.commit(this::credit);
            return DONE;
        }));
        // The lease is renewed up to the operation's maximum run time of ten minutes.
        while (!run.isDone()) {
            assertThat(world.environment.nanoTime())
                    .isLessThan(begunAt + Duration.ofMinutes(12).toNanos());
            world.advance(Duration.ofSeconds(1));
        }

        assertThatThrownBy(run::get).hasRootCauseMessage("The pool has no connection left.");
    }

    /** Nothing is lost with it: a retry goes on at the point that is reached. */
    @Test
    void phaseAfterAStoredAnswerWaitsNoLongerThanItsPatience() {
        assertThatThrownBy(() -> attempt(claim -> {
                    claim.derivedKey("charge");
                    claim.commit(this::debit);
                    transactions.pool(0);
                    claim.commit(this::credit);
                    return DONE;
                }))
                .hasRootCauseMessage("The pool has no connection left.");
        assertThat(world.state("pay", "key-1")).isEqualTo(RecordState.RELEASED);
    }

    @Test
    void runThatItsCallerAbandonedIsNotRefused() {
        assertThatThrownBy(() -> attempt(claim -> {
                    throw new IllegalStateException("killed");
                }))
                .hasMessage("killed");
        var left = world.record("pay", "key-1").orElseThrow();
        var identity = ClientKey.scope(SCOPE).key("key-1").inNamespace("pay");
        transactions.overload();

        assertThat(pay.resume(
                        new AbandonedRecord(
                                identity, left.id(), left.fingerprint().orElseThrow(), 1),
                        this::both))
                .isEqualTo(new OperationResult.Ran(DONE));
    }

    @Test
    void storeThatIsAwayBeforeTheFirstPhaseIsReportedAsSuch() {
        transactions.pool(0);

        assertThatThrownBy(() -> attempt(this::both))
                .isExactlyInstanceOf(StoreException.class)
                .hasMessage("The pool has no connection left.");
        assertThat(bodies).hasValue(0);
    }

    @Test
    void failureOfTheStoreInsideOfAPhaseIsReportedAsARunThatCouldNotGoOn() {
        for (var failure : List.of(
                StoreException.unavailable("away", StoreException.Effect.NONE, null),
                RowRejectedException.locked("locked", null))) {
            assertThatThrownBy(() -> attempt(claim -> {
                        claim.commit(books -> {
                            throw failure;
                        });
                        return DONE;
                    }))
                    .isInstanceOf(PhaseRolledBackException.class)
                    .hasCause(failure);
        }
    }

    @Test
    void postponedOperationIsReleased() {
        assertThat(attempt(claim -> {
                    throw new RetryLaterException("closed", Duration.ofSeconds(9));
                }))
                .isEqualTo(new OperationResult.InProgress(Duration.ofSeconds(9)));
        assertThat(world.state("pay", "key-1")).isEqualTo(RecordState.RELEASED);
    }

    @Test
    void unknownOutcomeWaitsForADecision() {
        assertThat(attempt(claim -> {
                    throw new EffectUnknownException("Was it charged?", null);
                }))
                .isInstanceOf(OperationResult.Attention.class);
        assertThat(world.state("pay", "key-1")).isEqualTo(RecordState.ATTENTION);
        assertThat(world.store.listAttention(null, 5))
                .singleElement()
                .satisfies(item -> assertThat(item.reason()).isEqualTo("Was it charged?"));
    }
}
