package dev.refrain.internal.run;

import dev.refrain.api.CurrentClaim;
import dev.refrain.api.ExecutionEnvironment;
import dev.refrain.api.OperationResult;
import dev.refrain.api.Outcome;
import dev.refrain.api.Payload;
import dev.refrain.api.ShuttingDownException;
import dev.refrain.api.StoredFailure;
import dev.refrain.internal.claim.ClaimAcquirer;
import dev.refrain.internal.claim.ClaimVerdict;
import dev.refrain.internal.claim.FingerprintedCall;
import dev.refrain.internal.replay.WaiterRegistry;
import dev.refrain.observe.RefrainEvent;
import dev.refrain.observe.RefrainListener;
import dev.refrain.store.ClaimRequest;
import dev.refrain.store.ClaimResponse;
import dev.refrain.store.RecordState;
import dev.refrain.store.StoreException;
import dev.refrain.store.StoreException.Effect;
import dev.refrain.store.StoreTransaction;
import dev.refrain.store.StoreTransactionFactory;
import dev.refrain.store.WriteResponse;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Runs an operation transactional: claim, business writes and outcome commit together, so there is no window in which one
 * stands without the other.
 *
 * <p>A kept failure rolls the work back and commits the outcome; a failure that is not kept rolls back everything. A success that is not kept
 * stays done, and a retry is answered so. An indeterminate commit is settled by taking the key's lock again and reading.
 */
public final class TransactionalOperationRunner {

    private static final Duration SETTLE_PAUSE = Duration.ofMillis(50);
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
                        () -> new TransactionAttempt<>(withoutWaiting, ask, () -> transactions.join(connection)),
                        work));
    }

    private <C, X extends Exception> OperationResult run(
            Supplier<TransactionAttempt<C>> parts, TransactionalAnswerWork<C, X> work) throws X {
        for (int round = 0; round < ROUNDS; round++) {
            var part = parts.get();
            try (var working = drain.enter(part.settings.operation())) {
                if (part.admit() instanceof CallAdmission.Answered answered) {
                    return answered.result();
                }
                try (part) {
                    if (working.isStopRequested()) {
                        throw new ShuttingDownException(part.settings.operation());
                    }
                    var result = part.runAndSettle(work);
                    if (result.isPresent()) {
                        return result.get();
                    }
                }
            }
            // Someone else settled the key meanwhile, and nothing of this run is left: the next round answers theirs.
        }
        return new OperationResult.InProgress(CallAdmission.RETRY_AFTER);
    }

    /** Defers an interrupt that the work left behind: it would close the socket that the outcome is to be written on. */
    private static <T> T uninterrupted(Supplier<T> step) {
        boolean interrupted = Thread.interrupted();
        try {
            return step.get();
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** How a part ended, as far as is known. */
    private enum TransactionEnd {
        TAKEN_BACK,
        FENCED_OUT,
        COMMITTED,
        UNKNOWN
    }

    /** One try inside one transaction; here one that the caller commits. */
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
                            settings.leasing().maxRun());
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

        /** Empty if someone else claimed the record meanwhile: then the work's writes are taken back. */
        <X extends Exception> Optional<OperationResult> runAndSettle(TransactionalAnswerWork<C, X> work) throws X {
            var open = Objects.requireNonNull(transaction);
            if (claimed().isResumed()) {
                listener.onEvent(new RefrainEvent.Resumed(
                        settings.operation(), claimed().recordId(), claimed().fence()));
            }
            final Outcome.Answer answer;
            try (var here = CurrentClaim.enterTransactional(claimed())) {
                answer = Objects.requireNonNull(
                        work.run(claimed(), open.connection()),
                        () -> settings.operation() + ": the work gave null instead of an answer");
            } catch (Throwable failure) {
                uninterrupted(() -> keepFailure(open, failure));
                throw failure;
            }
            return uninterrupted(() -> settled(open, answer));
        }

        private Optional<OperationResult> settled(StoreTransaction<C> open, Outcome.Answer answer) {
            if (answer.isSuccess() && open.isRollbackOnly()) {
                throw StoreException.unavailable(
                        settings.operation()
                                + " gave a success, but something that took part in its transaction had marked it"
                                + " to be rolled back. Nothing happened, and nobody is told otherwise.",
                        Effect.NONE,
                        null);
            }
            boolean kept = claimed().kept() && settings.keeping().keeps(answer);
            if (!kept && answer.isSuccess() && !claimed().saidNothingHappened()) {
                // The caller takes it for done. To take the work back now would lose it, and to free the key would
                // double it.
                claimed().keepStateOnly("It is a success that is not to be kept.");
                kept = true;
            }
            boolean failed = answer.isFailure();
            if (kept) {
                outcome = saving.toStoredOutcome(settings, claimed(), answer);
                // Its writes are taken back. If only its end could be kept, a retry would be told that it is done.
                kept = !failed || outcome.isPresent();
            }
            if (!kept || failed) {
                open.rollbackWork();
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
            boolean settled = write(open, retained(requested())) instanceof WriteResponse.Written;
            if (!settled) {
                end = TransactionEnd.FENCED_OUT;
                listener.onEvent(new RefrainEvent.FencedOut(
                        settings.operation(), claimed().recordId(), claimed().fence()));
                open.rollbackWork();
            }
            return settled;
        }

        /** With the time that the work asked for, if it did. */
        private ClaimRequest retained(ClaimRequest asked) {
            return new ClaimRequest(
                    asked.identity(),
                    asked.lookup(),
                    asked.fingerprint(),
                    asked.nonce(),
                    asked.lease(),
                    asked.leaseExpiryPolicy(),
                    settings.keeping().retention(claimed()).orElse(asked.retention()),
                    asked.subject(),
                    asked.request());
        }

        /** To commit it is the caller's to do. Nobody here is told of an outcome that may yet be rolled back. */
        WriteResponse write(StoreTransaction<C> open, ClaimRequest settling) {
            var answer = open.complete(settling, claimed().record(), outcome);
            end = answer instanceof WriteResponse.Written ? TransactionEnd.UNKNOWN : end;
            return answer;
        }

        final RunningClaim claimed() {
            return Objects.requireNonNull(claim);
        }

        final ClaimRequest requested() {
            return Objects.requireNonNull(request);
        }

        /** Ends the transaction. If that fails, the connection is broken, and what was not committed is gone with it. */
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

    /** One try inside a transaction of its own. */
    private final class OwnTransactionAttempt<C> extends TransactionAttempt<C> {
        private final StoreTransactionFactory<C> transactions;

        OwnTransactionAttempt(RunSettings settings, FingerprintedCall ask, StoreTransactionFactory<C> transactions) {
            super(settings, ask, transactions::begin);
            this.transactions = transactions;
        }

        @Override
        CallAdmission.Admission admit() {
            return entry.admit(settings, ask, this::claim);
        }

        /** Writes and commits in one step. An indeterminate commit is settled before anyone is told anything. */
        @Override
        WriteResponse write(StoreTransaction<C> open, ClaimRequest settling) {
            WriteResponse answer;
            end = TransactionEnd.UNKNOWN;
            try {
                answer = open.completeAndCommit(settling, claimed().record(), outcome);
            } catch (StoreException e) {
                if (e.effect() == Effect.NONE) {
                    end = TransactionEnd.TAKEN_BACK;
                    throw e;
                }
                // Its connection first: whoever is asked next may be waiting for it.
                giveBack();
                if (!isCommitted()) {
                    end = TransactionEnd.TAKEN_BACK;
                    if (e.getCause() instanceof StoreException certain && certain.effect() == Effect.NONE) {
                        throw certain;
                    }
                    throw StoreException.unavailable(
                            "The commit failed and took everything back: nothing happened; retry.", Effect.NONE, e);
                }
                answer = new WriteResponse.Written();
            }
            if (answer instanceof WriteResponse.Written) {
                end = TransactionEnd.COMMITTED;
                listener.onEvent(new RefrainEvent.Completed(
                        settings.operation(), claimed().recordId(), claimed().ran()));
                waiters.wakeAll(claimed().record().asCompleted(outcome));
            }
            return answer;
        }

        /** While the broken transaction lives it holds the lock; once the lock is ours, what can be read is the truth. */
        private boolean isCommitted() {
            long deadline = environment.nanoTime() + settings.leasing().lease().toNanos();
            while (deadline - environment.nanoTime() > 0) {
                boolean interrupted = Thread.interrupted();
                try (var again = transactions.begin()) {
                    var answer = again.tryClaim(requested().withNonce(environment.newNonce()));
                    if (!(answer instanceof ClaimResponse.LockedByTransaction)) {
                        return answer instanceof ClaimResponse.Found found
                                && found.record().state() == RecordState.COMPLETED
                                && found.record()
                                        .owner()
                                        .equals(claimed().record().owner());
                    }
                } catch (StoreException away) {
                    if (!away.isTransient()) {
                        break;
                    }
                } finally {
                    if (interrupted) {
                        Thread.currentThread().interrupt();
                    }
                }
                environment.sleep(SETTLE_PAUSE);
            }
            throw saving.outcomeUnknown(
                    settings, claimed(), "the commit's reply was lost and the store cannot be asked.", null);
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
