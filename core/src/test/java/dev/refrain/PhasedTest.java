package dev.refrain;

import static dev.refrain.testing.World.SCOPE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.refrain.claim.ClaimResult;
import dev.refrain.outcome.Outcome;
import dev.refrain.outcome.Payload;
import dev.refrain.run.Ending;
import dev.refrain.run.PhasedClaim;
import dev.refrain.run.PhasedWork;
import dev.refrain.run.PutOffException;
import dev.refrain.run.RunResult;
import dev.refrain.run.UnknowableException;
import dev.refrain.store.State;
import dev.refrain.testing.Background;
import dev.refrain.testing.MemoryTransactions;
import dev.refrain.testing.MemoryTransactions.Books;
import dev.refrain.testing.MemoryTransactions.Commit;
import dev.refrain.testing.ScriptedStore.Verb;
import dev.refrain.testing.World;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ConcurrentModificationException;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Work in phases, over transactions in memory; what it makes of real ones is tested with flows. */
class PhasedTest {

    private static final Payload REQUEST = Payload.of("all of it".getBytes(StandardCharsets.UTF_8));
    private static final Outcome.Answer DONE = Outcome.Answer.of(201, new byte[] {1, 2, 3});

    private final World world = new World();
    private final Refrain refrain = world.process();
    private final MemoryTransactions transactions = new MemoryTransactions(world.store);
    private final Phased<Books> pay = refrain.operation("pay").phased(transactions);
    private final AtomicInteger bodies = new AtomicInteger();

    private RunResult attempt(PhasedWork<Books, RuntimeException> work) {
        return pay.run(Call.of(SCOPE, "key-1", "x"), REQUEST, work);
    }

    /** The same for work that pauses. */
    private RunResult attemptWhileTimePasses(PhasedWork<Books, RuntimeException> work) {
        var run = Background.run(() -> attempt(work));
        while (!run.isDone()) {
            world.advance(Duration.ofMillis(20));
        }
        return run.get();
    }

    private Ending debit(Books books) {
        bodies.incrementAndGet();
        books.write("debit");
        return new Ending.Passed("debited", Optional.of(Payload.of(new byte[] {7})));
    }

    private Ending credit(Books books) {
        bodies.incrementAndGet();
        books.write("credit");
        return new Ending.Done(DONE);
    }

    /** From wherever it stands. */
    private Outcome.Answer both(PhasedClaim<Books> claim) {
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
    void theLastPhaseCompletesTheRecordByItself() {
        assertThat(attempt(this::both)).isEqualTo(new RunResult.Ran(DONE));
        assertThat(world.state("pay", "key-1")).isEqualTo(State.COMPLETED);
        assertThat(transactions.ledger()).containsExactly("debit", "credit");

        assertThat(attempt(claim -> {
                    throw new AssertionError("It is done.");
                }))
                .isInstanceOf(RunResult.Replayed.class);
    }

    @Test
    void howLongItsRecordLivesIsKnownFromBothSidesHoweverLateTheStoreAnswers() {
        world.store.next(Verb.CLAIM, (rows, claim) -> {
            world.advance(Duration.ofSeconds(1));
            var answer = claim.get();
            world.advance(Duration.ofSeconds(1));
            return answer;
        });
        attempt(claim -> {
            world.advance(Duration.ofSeconds(5));
            var truth = world.record("pay", "key-1").orElseThrow().remainingLife().orElseThrow();
            assertThat(claim.maxRemainingLife()).contains(truth.plusSeconds(1));
            assertThat(claim.minRemainingLife()).contains(truth.minusSeconds(1));
            return both(claim);
        });
    }

    @Test
    void aRetryFindsThePointWhatWasCarriedAndTheRequest() {
        assertThatThrownBy(() -> attempt(claim -> {
                    claim.commit(this::debit);
                    throw new IllegalStateException("killed");
                }))
                .hasMessage("killed");

        attempt(claim -> {
            assertThat(claim.recoveryPoint()).contains("debited");
            assertThat(claim.carriedState()).contains(Payload.of(new byte[] {7}));
            assertThat(claim.storedRequest()).contains(REQUEST);
            return both(claim);
        });
        assertThat(transactions.ledger()).containsExactly("debit", "credit");
    }

    /** Whatever becomes of the first commit or the second, each phase takes effect once. */
    @ParameterizedTest
    @CsvSource({"REPLY_LOST, 2", "LOST, 3", "FAILS, 3"})
    void aCommitThatIsInDoubtIsSettledBeforeAnythingElse(Commit commit, int bodiesThatRun) {
        transactions.nextCommit(commit);

        assertThat(attemptWhileTimePasses(this::both)).isEqualTo(new RunResult.Ran(DONE));
        assertThat(transactions.ledger()).containsExactly("debit", "credit");
        assertThat(bodies).hasValue(bodiesThatRun);
    }

    @Test
    void soIsTheLastOne() {
        var answer = attempt(claim -> {
            claim.commit(this::debit);
            transactions.nextCommit(Commit.REPLY_LOST);
            claim.commit(this::credit);
            return DONE;
        });
        assertThat(answer).isEqualTo(new RunResult.Ran(DONE));
        assertThat(transactions.ledger()).containsExactly("debit", "credit");
    }

    @Test
    void aPhaseThatLostARaceRunsAgainAndCommitsOnce() {
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
    void whoWasTakenOverCommitsNothingAndAnswersAsTheOtherDid() {
        var result = attempt(claim -> {
            claim.commit(this::debit);
            world.clock.advance(Duration.ofMinutes(2));
            var other = world.process();
            var theirs = other.operation("pay")
                    .phased(transactions)
                    .run(Call.of(SCOPE, "key-1", "x"), REQUEST, this::both);
            assertThat(theirs).isEqualTo(new RunResult.Ran(DONE));
            claim.commit(this::credit);
            throw new AssertionError("It was lost.");
        });
        assertThat(result).isInstanceOf(RunResult.Replayed.class);
        assertThat(transactions.ledger()).containsExactly("debit", "credit");
    }

    @Test
    void whatIsPutOffIsFreeForTheNext() {
        assertThat(attempt(claim -> {
                    throw new PutOffException("closed", Duration.ofSeconds(9));
                }))
                .isEqualTo(new RunResult.StillRunning(Duration.ofSeconds(9)));
        assertThat(world.state("pay", "key-1")).isEqualTo(State.RELEASED);
    }

    @Test
    void whatCannotBeKnownWaitsForADecision() {
        assertThat(attempt(claim -> {
                    throw new UnknowableException("Was it charged?", null);
                }))
                .isInstanceOfSatisfying(
                        RunResult.Refused.class,
                        refused -> assertThat(refused.why()).isInstanceOf(ClaimResult.Attention.class));
        assertThat(world.state("pay", "key-1")).isEqualTo(State.ATTENTION);
        assertThat(world.store.listAttention(Optional.empty(), 5))
                .singleElement()
                .satisfies(item -> assertThat(item.reason()).isEqualTo("Was it charged?"));
    }
}
