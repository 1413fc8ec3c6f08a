package dev.refrain.internal.run;

import dev.refrain.api.CurrentClaim;
import dev.refrain.api.ExecutionEnvironment;
import dev.refrain.api.OperationResult;
import dev.refrain.api.Outcome;
import dev.refrain.api.Payload;
import dev.refrain.api.RunTimeExceededException;
import dev.refrain.api.ShuttingDownException;
import dev.refrain.api.StoredFailure;
import dev.refrain.internal.claim.ClaimAcquirer;
import dev.refrain.internal.claim.ClaimVerdict;
import dev.refrain.internal.claim.FingerprintedCall;
import dev.refrain.internal.replay.WaiterRegistry;
import dev.refrain.observe.RefrainEvent;
import dev.refrain.observe.RefrainListener;
import dev.refrain.store.ClaimRequest;
import dev.refrain.store.RecordWriteResponse;
import dev.refrain.store.StoreException;
import dev.refrain.store.StoreException.Effect;
import dev.refrain.store.StoreTransaction;
import dev.refrain.store.StoreTransactionFactory;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Runs a transactional operation: claim, business writes and outcome commit together, so that none can exist without the others.
 *
 * <p>A stored failure rolls back the work and commits the outcome; a failure that is not stored rolls back everything. A success
 * that is not stored stays committed, and a retry learns that it is done. After an indeterminate commit the runner acquires the
 * key's lock again and reads the record.
 */
public final class TransactionalOperationRunner {

    private static final Duration NO_LEASE = Duration.ofSeconds(30);

    /** Lost races in a row on one key after which the caller is answered "in progress". */
    private static final int ROUNDS = 8;

    private final CallAdmission entry;
    private final ClaimAcquirer claimer;
    private final OutcomeRecorder saving;
    private final WaiterRegistry waiters;
    private final GracefulShutdown drain;
    private final ExecutionEnvironment environment;
    private final RefrainListener listener;
    private final RunTimeMonitor runTimes;

    TransactionalOperationRunner(
            CallAdmission entry,
            ClaimAcquirer claimer,
            OutcomeRecorder saving,
            WaiterRegistry waiters,
            GracefulShutdown drain,
            ExecutionEnvironment environment,
            RefrainListener listener) {
        this.entry = entry;
        this.claimer = claimer;
        this.saving = saving;
        this.waiters = waiters;
        this.drain = drain;
        this.environment = environment;
        this.listener = listener;
        this.runTimes = new RunTimeMonitor(environment, listener);
    }

    /** Runs it in a transaction of its own. A connection is held only while the key's lock is. */
    public <C, X extends Exception> OperationResult run(
            RunSettings settings,
            FingerprintedCall ask,
            StoreTransactionFactory<C> transactions,
            TransactionalAnswerWork<C, X> work)
            throws X {
        return ObservedRun.observeCall(
                listener.onCall(settings.operation()),
                () -> run(() -> new OwnTransactionAttempt<>(settings, ask, transactions), work));
    }

    /** Runs it in the caller's open transaction, which the caller ends. Never waits: that would hold the caller's connection. */
    public <C, X extends Exception> OperationResult runWithin(
            RunSettings settings,
            FingerprintedCall ask,
            StoreTransactionFactory<C> transactions,
            C connection,
            TransactionalAnswerWork<C, X> work)
            throws X {
        var withoutWaiting = settings.withoutWaiting();
        return ObservedRun.observeCall(
                listener.onCall(settings.operation()),
                () -> run(
                        () -> new TransactionAttempt<>(
                                withoutWaiting, ask, () -> transactions.join(connection, settings.transactionLimits())),
                        work));
    }

    private <C, X extends Exception> OperationResult run(
            Supplier<TransactionAttempt<C>> parts, TransactionalAnswerWork<C, X> work) throws X {
        for (int round = 0; round < ROUNDS; round++) {
            var part = parts.get();
            try (var working = entered(part.settings, round)) {
                if (admitted(part, round) instanceof CallAdmission.Answered answered) {
                    return answered.result();
                }
                try (part) {
                    if (working.isStopRequested()) {
                        throw RolledBackWork.ofEarlierRound(
                                part.settings, round, new ShuttingDownException(part.settings.operation()));
                    }
                    var result = part.runAndSettle(work);
                    if (result.isPresent()) {
                        return result.get();
                    }
                }
            }
            // Another caller completed the key meanwhile, and this run is rolled back: the next round replays that
            // outcome.
        }
        return new OperationResult.InProgress(CallAdmission.RETRY_AFTER);
    }

    private GracefulShutdown.ActiveCall entered(RunSettings settings, int round) {
        try {
            return drain.enter(settings.operation());
        } catch (ShuttingDownException stopping) {
            throw RolledBackWork.ofEarlierRound(settings, round, stopping);
        }
    }

    private static CallAdmission.Admission admitted(TransactionAttempt<?> part, int round) {
        try {
            return part.admit();
        } catch (StoreException away) {
            throw RolledBackWork.ofEarlierRound(part.settings, round, away);
        }
    }

    /** One attempt inside one transaction; this one is committed by the caller. */
    private class TransactionAttempt<C> implements AutoCloseable {
        final RunSettings settings;
        final FingerprintedCall ask;
        private final Supplier<StoreTransaction<C>> begin;
        private @Nullable StoreTransaction<C> transaction;
        private @Nullable ClaimRequest request;
        private @Nullable RunningClaim claim;
        Optional<Payload> outcome = Optional.empty();
        TransactionEnd end = TransactionEnd.TAKEN_BACK;

        TransactionAttempt(RunSettings settings, FingerprintedCall ask, Supplier<StoreTransaction<C>> begin) {
            this.settings = settings;
            this.ask = ask;
            this.begin = begin;
        }

        CallAdmission.Admission admit() {
            return entry.admitWithoutCaching(settings, ask, this::claim);
        }

        /** Leaves the transaction open only if the claim was acquired. */
        ClaimVerdict claim() {
            var begun = begin.get();
            transaction = begun;
            long askedAt = environment.nanoTime();
            try {
                var result = claimer.acquire(ask, terms(), asked -> {
                    request = asked;
                    return begun.tryClaim(asked);
                });
                if (result instanceof ClaimVerdict.Acquired acquired) {
                    claim = new RunningClaim(
                            acquired.record(),
                            environment,
                            askedAt,
                            settings.leasing().maxRun(),
                            claimer.rememberingSteps(ask));
                }
                return result;
            } finally {
                if (claim == null) {
                    giveBack();
                }
            }
        }

        private ClaimAcquirer.ClaimTerms terms() {
            return new ClaimAcquirer.ClaimTerms(
                    NO_LEASE, settings.leasing().takeOver(), settings.keeping().retention(), settings.patience());
        }

        /** Runs the work and completes; empty if another caller claimed the record meanwhile and the work is rolled back. */
        <X extends Exception> Optional<OperationResult> runAndSettle(TransactionalAnswerWork<C, X> work) throws X {
            var open = Objects.requireNonNull(transaction);
            if (claimed().isResumed()) {
                listener.onEvent(new RefrainEvent.Resumed(
                        settings.operation(), claimed().recordId(), claimed().fence()));
            }
            final Outcome.Answer answer;
            var connection = open.connection();
            var monitored = runTimes.start(settings, claimed(), open::abort);
            try (monitored;
                    var here = CurrentClaim.enterTransactional(claimed())) {
                answer = Objects.requireNonNull(
                        work.run(claimed(), connection),
                        () -> settings.operation() + ": the work returned null instead of an answer");
            } catch (Throwable failure) {
                if (monitored.hasOverrun()) {
                    throw overran(open, failure);
                }
                DeferredInterrupt.during(() -> keepFailure(open, failure));
                throw failure;
            }
            if (monitored.hasOverrun()) {
                throw overran(open, null);
            }
            return DeferredInterrupt.during(() -> settled(open, answer));
        }

        /** Rolls back work that ran for too long. Its answer is not kept: it may be no more than the end of its connection. */
        private RunTimeExceededException overran(StoreTransaction<C> open, @Nullable Throwable failure) {
            var exceeded = new RunTimeExceededException(
                    settings.operation(), settings.leasing().maxRun(), failure);
            try {
                open.rollbackWork();
            } catch (RuntimeException aborted) {
                exceeded.addSuppressed(aborted);
            }
            return exceeded;
        }

        private Optional<OperationResult> settled(StoreTransaction<C> open, Outcome.Answer answer) {
            if (answer.isSuccess() && open.isRollbackOnly()) {
                throw RolledBackWork.byParticipant(settings);
            }
            boolean kept = claimed().kept() && settings.keeping().keeps(answer);
            if (!kept && answer.isSuccess() && !claimed().saidNothingHappened()) {
                // The caller takes it for done: rolling back now would lose the work, and releasing the key would
                // double it.
                claimed().keepStateOnly("It is a success that is not to be kept.");
                kept = true;
            }
            boolean failed = answer.isFailure();
            if (kept) {
                outcome = saving.toStoredOutcome(settings, claimed(), answer);
                // The work is rolled back. Storing only the state would make a retry believe that it is done.
                kept = !failed || outcome.isPresent();
            }
            if (!kept || failed) {
                RolledBackWork.requireRolledBack(settings, open);
            }
            return !kept || settle(open) ? Optional.of(new OperationResult.Ran(answer)) : Optional.empty();
        }

        private boolean keepFailure(StoreTransaction<C> open, Throwable failure) {
            boolean keeps = settings.keeping().keepsFailure(claimed());
            try {
                open.rollbackWork();
                if (keeps) {
                    outcome = saving.toStoredOutcome(settings, claimed(), StoredFailure.toAnswer(failure));
                    settle(open);
                }
            } catch (RuntimeException notKept) {
                failure.addSuppressed(notKept);
            }
            return keeps;
        }

        private boolean settle(StoreTransaction<C> open) {
            boolean settled = write(open, retained(requested())) instanceof RecordWriteResponse.Written;
            if (!settled) {
                end = TransactionEnd.FENCED_OUT;
                listener.onEvent(new RefrainEvent.FencedOut(
                        settings.operation(), claimed().recordId(), claimed().fence()));
                RolledBackWork.requireRolledBack(settings, open);
            }
            return settled;
        }

        /** Applies the retention that the work chose, if any. */
        private ClaimRequest retained(ClaimRequest asked) {
            return asked.withRetention(settings.keeping().retention(claimed()).orElse(asked.retention()));
        }

        /** Writes without a commit, which is up to the caller. No waiter is woken, since it may still be rolled back. */
        RecordWriteResponse write(StoreTransaction<C> open, ClaimRequest settling) {
            var answer = open.complete(settling, claimed().record(), outcome.orElse(null));
            end = answer instanceof RecordWriteResponse.Written ? TransactionEnd.UNKNOWN : end;
            return answer;
        }

        final RunningClaim claimed() {
            return Objects.requireNonNull(claim);
        }

        final ClaimRequest requested() {
            return Objects.requireNonNull(request);
        }

        /** Ends the transaction. If that fails, the connection is broken, and the database rolls back. */
        final void giveBack() {
            var open = transaction;
            transaction = null;
            try {
                if (open != null) {
                    open.close();
                }
            } catch (StoreException broken) {
                listener.onEvent(new RefrainEvent.StoreFailed("transactions", broken));
            }
        }

        @Override
        public void close() {
            giveBack();
        }
    }

    /** One attempt inside a transaction of its own. */
    private final class OwnTransactionAttempt<C> extends TransactionAttempt<C> {
        private final StoreTransactionFactory<C> transactions;

        OwnTransactionAttempt(RunSettings settings, FingerprintedCall ask, StoreTransactionFactory<C> transactions) {
            super(settings, ask, () -> transactions.begin(settings.transactionLimits()));
            this.transactions = transactions;
        }

        @Override
        CallAdmission.Admission admit() {
            return entry.admit(
                    settings,
                    ask,
                    () -> claimer.findReplayOrClaim(ask, settings.patience(), () -> {
                        // Before anything is computed for a call that is refused.
                        ConnectionCheck.of(settings, ask.identity().scope(), transactions)
                                .require();
                        ask.computed();
                        return claim();
                    }));
        }

        /** Writes and commits in one step. An indeterminate commit is resolved before anyone gets a result. */
        @Override
        RecordWriteResponse write(StoreTransaction<C> open, ClaimRequest settling) {
            RecordWriteResponse answer;
            end = TransactionEnd.UNKNOWN;
            try {
                answer = open.completeAndCommit(settling, claimed().record(), outcome.orElse(null));
            } catch (StoreException e) {
                if (e.effect() == Effect.NONE) {
                    end = TransactionEnd.TAKEN_BACK;
                    throw RolledBackWork.byFailedCommit(settings, e);
                }
                // Release the connection first: the next query may be waiting for it.
                giveBack();
                if (!isCommitted()) {
                    end = TransactionEnd.TAKEN_BACK;
                    if (e.getCause() instanceof StoreException certain && certain.effect() == Effect.NONE) {
                        throw RolledBackWork.byFailedCommit(settings, certain);
                    }
                    throw RolledBackWork.byFailedCommit(settings, e);
                }
                answer = new RecordWriteResponse.Written();
            }
            if (answer instanceof RecordWriteResponse.Written) {
                end = TransactionEnd.COMMITTED;
                listener.onEvent(new RefrainEvent.Completed(
                        settings.operation(), claimed().recordId(), claimed().ran()));
                waiters.wakeAll(claimed().record().asCompleted(outcome.orElse(null)));
            }
            return answer;
        }

        private boolean isCommitted() {
            return new CommitInquiry<>(transactions, environment, settings.patience())
                    .isCommitted(requested(), claimed())
                    .orElseThrow(() -> saving.outcomeUnknown(
                            settings, claimed(), "the commit's reply was lost and the store is unreachable.", null));
        }

        @Override
        public void close() {
            super.close();
            if (end == TransactionEnd.TAKEN_BACK) {
                listener.onEvent(new RefrainEvent.Released(
                        settings.operation(), claimed().recordId(), claimed().ran()));
                waiters.wakeOne(ask.lookup());
            }
        }
    }
}
