package dev.refrain.internal.run;

import dev.refrain.api.CurrentClaim;
import dev.refrain.api.DetachedRunStart;
import dev.refrain.api.EffectUnknownException;
import dev.refrain.api.ExecutionEnvironment;
import dev.refrain.api.LeaseExpiryPolicy;
import dev.refrain.api.OperationResult;
import dev.refrain.api.Outcome;
import dev.refrain.api.RecordId;
import dev.refrain.api.ShuttingDownException;
import dev.refrain.internal.batch.BatchedStoreClient;
import dev.refrain.internal.claim.ClaimAcquirer;
import dev.refrain.internal.claim.FingerprintedCall;
import dev.refrain.observe.CallObserver;
import dev.refrain.observe.RefrainEvent;
import dev.refrain.observe.RefrainListener;
import dev.refrain.phase.ClaimLostException;
import dev.refrain.phase.PhasedWork;
import dev.refrain.phase.RetryLaterException;
import dev.refrain.store.RowRejectedException;
import dev.refrain.store.StoreException;
import dev.refrain.store.StoreException.Effect;
import dev.refrain.store.StoreTransactionFactory;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;

/**
 * Runs an operation leased: claim; then the work; then the outcome.
 *
 * <p>The residual window is a crash, or a pause longer than the lease, between the work and its record. With {@link
 * LeaseExpiryPolicy#RESUME} a retry then runs it again under the same derived keys; with {@link LeaseExpiryPolicy#HOLD} it goes to attention.
 */
public final class LeasedOperationRunner {

    private final CallAdmission entry;
    private final ClaimAcquirer claimer;
    private final BatchedStoreClient lanes;
    private final OutcomeRecorder saving;
    private final LeaseHeartbeat heartbeat;
    private final GracefulShutdown drain;
    private final ExecutionEnvironment environment;
    private final RefrainListener listener;

    LeasedOperationRunner(
            CallAdmission entry,
            ClaimAcquirer claimer,
            BatchedStoreClient lanes,
            OutcomeRecorder saving,
            LeaseHeartbeat heartbeat,
            GracefulShutdown drain,
            ExecutionEnvironment environment,
            RefrainListener listener) {
        this.entry = entry;
        this.claimer = claimer;
        this.lanes = lanes;
        this.saving = saving;
        this.heartbeat = heartbeat;
        this.drain = drain;
        this.environment = environment;
        this.listener = listener;
    }

    public <X extends Exception> OperationResult run(
            RunSettings settings, FingerprintedCall ask, LeasedAnswerWork<X> work) throws X {
        return runHere(settings, ask, work::run);
    }

    /** The same for work in phases, each of which commits by itself; the last one completes the record. */
    public <C, X extends Exception> OperationResult runPhased(
            RunSettings settings, FingerprintedCall ask, StoreTransactionFactory<C> transactions, PhasedWork<C, X> work)
            throws X {
        return runHere(
                settings,
                ask,
                claim -> work.run(
                        new PhasedRunningClaim<>(settings, ask, claim, transactions, saving, lanes, environment)));
    }

    private <X extends Exception> OperationResult runHere(
            RunSettings settings, FingerprintedCall ask, ClaimedWork<X> work) throws X {
        return ObservedRun.observeCall(listener.onCall(settings.operation()), () -> {
            try (var working = drain.enter(settings.operation())) {
                return switch (begin(settings, ask, working)) {
                    case StartResult.Answered answered -> answered.result();
                    case StartedRun running -> running.run(work);
                };
            }
        });
    }

    /** Work as this class sees it. */
    @FunctionalInterface
    interface ClaimedWork<X extends Exception> {
        Outcome.Answer run(RunningClaim claim) throws X;
    }

    /**
     * The same for work that does not end on the thread it began on: claims now, and leaves it to the caller to say how it
     * ended. Until then the lease is renewed, up to the operation's maximum run time.
     */
    public DetachedRunStart open(RunSettings settings, FingerprintedCall ask) {
        var watch = listener.onCall(settings.operation());
        DetachedRunStart opening;
        try {
            opening = ObservedRun.observePart(watch, () -> open(settings, ask, watch));
        } catch (RuntimeException | Error failure) {
            watch.onFailure(failure);
            throw failure;
        }
        if (opening instanceof DetachedRunStart.AlreadyAnswered answered) {
            ObservedRun.reportEnd(watch, answered.result());
        }
        return opening;
    }

    private DetachedRunStart open(RunSettings settings, FingerprintedCall ask, CallObserver watch) {
        var working = drain.enterDetached(settings.operation());
        boolean open = false;
        try {
            var begun = begin(settings, ask, working);
            open = begun instanceof StartedRun;
            return switch (begun) {
                case StartResult.Answered answered -> new DetachedRunStart.AlreadyAnswered(answered.result());
                case StartedRun running -> new LeasedDetachedRun(running, working, watch);
            };
        } finally {
            if (!open) {
                working.close();
            }
        }
    }

    private StartResult begin(RunSettings settings, FingerprintedCall ask, GracefulShutdown.ActiveCall working) {
        CallAdmission.Admission admission;
        try {
            admission = admit(settings, ask);
        } catch (StoreException away) {
            requireFailOpen(settings, away);
            return new UnprotectedRun(settings, unprotected(ask));
        }
        return switch (admission) {
            case CallAdmission.Answered answered -> new StartResult.Answered(answered.result());
            case CallAdmission.Admitted admitted -> claimed(settings, ask, admitted, working);
        };
    }

    private CallAdmission.Admission admit(RunSettings settings, FingerprintedCall ask) {
        var leasing = settings.leasing();
        var terms = new ClaimAcquirer.ClaimTerms(
                leasing.lease(), leasing.takeOver(), settings.keeping().retention(), settings.patience());
        return entry.admit(settings, ask, () -> claimer.acquire(ask, terms));
    }

    /** Only a store that cannot be asked is failed open on: one that refuses a row, or waits for its lock, has been asked. */
    private void requireFailOpen(RunSettings settings, StoreException away) {
        if (settings.storeAway() == RunSettings.StoreOutagePolicy.REFUSE || away instanceof RowRejectedException) {
            throw away;
        }
        listener.onEvent(new RefrainEvent.FailedOpen(settings.operation(), away));
    }

    /** Work that was claimed, unless it is too late to begin it. */
    private StartedRun claimed(
            RunSettings settings,
            FingerprintedCall ask,
            CallAdmission.Admitted admitted,
            GracefulShutdown.ActiveCall working) {
        var claim = new RunningClaim(
                admitted.record(),
                environment,
                admitted.askedAt(),
                settings.leasing().lease());
        if (working.isStopRequested()) {
            saving.release(settings, ask, claim);
            throw new ShuttingDownException(settings.operation());
        }
        if (claim.isLost()) {
            saving.release(settings, ask, claim);
            throw StoreException.unavailable(
                    "Running " + settings.operation()
                            + ": the store answered only after the lease was over. Nothing ran; retry.",
                    Effect.NONE,
                    null);
        }
        if (claim.isResumed()) {
            listener.onEvent(new RefrainEvent.Resumed(settings.operation(), claim.recordId(), claim.fence()));
        }
        heartbeat.startRenewing(claim, settings);
        return new ProtectedRun(settings, ask, claim);
    }

    /** What came of asking to run. */
    sealed interface StartResult {
        record Answered(OperationResult result) implements StartResult {}
    }

    /** Work under way, until it is said how it ended: once, by either of two. */
    abstract static sealed class StartedRun implements StartResult {
        final RunSettings settings;
        final RunningClaim claim;

        StartedRun(RunSettings settings, RunningClaim claim) {
            this.settings = settings;
            this.claim = claim;
        }

        abstract OperationResult completed(Outcome.Answer answer);

        /** What is stored instead, if someone else took the claim over and completed it: then theirs is the outcome. */
        abstract Optional<OperationResult> failed(Throwable failure);

        abstract boolean keepsFailure();

        /** Nothing more is done for it here: it has its lease, and that ends. */
        abstract void left();

        /** Work that gives no answer at all has failed, whatever it did: there is nothing to keep. */
        final <X extends Exception> OperationResult run(ClaimedWork<X> work) throws X {
            Outcome.Answer answer;
            try (var here = CurrentClaim.enterLeased(claim)) {
                answer = Objects.requireNonNull(
                        work.run(claim), () -> settings.operation() + ": the work gave null instead of an answer");
            } catch (Throwable failure) {
                var stored = failed(failure);
                if (stored.isPresent() && failure instanceof Exception) {
                    return stored.get();
                }
                throw failure;
            }
            return completed(answer);
        }
    }

    private final class ProtectedRun extends StartedRun {
        private final FingerprintedCall ask;

        ProtectedRun(RunSettings settings, FingerprintedCall ask, RunningClaim claim) {
            super(settings, claim);
            this.ask = ask;
        }

        @Override
        OperationResult completed(Outcome.Answer answer) {
            try {
                return claim.isSettled()
                        ? saving.reportCompletion(settings, claim, answer)
                        : afterAnswer(settings, ask, claim, answer);
            } finally {
                heartbeat.stopRenewing(claim);
            }
        }

        @Override
        Optional<OperationResult> failed(Throwable failure) {
            try {
                return afterFailure(settings, ask, claim, failure);
            } finally {
                heartbeat.stopRenewing(claim);
            }
        }

        @Override
        boolean keepsFailure() {
            return LeasedOperationRunner.keepsFailure(settings, claim);
        }

        @Override
        void left() {
            heartbeat.stopRenewing(claim);
        }
    }

    /** Runs although the store is out of reach; there is nothing to save it to. */
    private static final class UnprotectedRun extends StartedRun {
        UnprotectedRun(RunSettings settings, RunningClaim claim) {
            super(settings, claim);
        }

        @Override
        OperationResult completed(Outcome.Answer answer) {
            return new OperationResult.Ran(answer);
        }

        @Override
        Optional<OperationResult> failed(Throwable failure) {
            return Optional.empty();
        }

        @Override
        boolean keepsFailure() {
            return settings.keeping().keepsFailure(claim);
        }

        @Override
        void left() {}
    }

    private OperationResult afterAnswer(
            RunSettings settings, FingerprintedCall ask, RunningClaim claim, Outcome.Answer answer) {
        boolean kept = claim.kept() && settings.keeping().keeps(answer);
        if (kept || !mayRunAgain(settings, claim)) {
            return saving.complete(settings, ask, claim, answer);
        }
        return saving.release(settings, ask, claim).orElseGet(() -> new OperationResult.Ran(answer));
    }

    /**
     * The failure reaches the caller as it was thrown, and here only decides what a retry will meet; unless someone else took
     * the claim over and completed it: then theirs is the outcome.
     */
    private Optional<OperationResult> afterFailure(
            RunSettings settings, FingerprintedCall ask, RunningClaim claim, Throwable failure) {
        if (claim.isLeftToLease()) {
            return Optional.empty();
        }
        try {
            return switch (failure) {
                case ClaimLostException lost -> Optional.of(saving.replayWinner(settings, ask, claim, claim.winner()));
                case RetryLaterException later ->
                    saving.release(settings, ask, claim, later.retryAfter())
                            .or(() -> Optional.of(new OperationResult.InProgress(later.retryAfter())));
                case EffectUnknownException unknowable ->
                    saving.escalate(settings, ask, claim, String.valueOf(unknowable.getMessage()));
                default ->
                    keepsFailure(settings, claim)
                            ? saving.keepFailure(settings, ask, claim, failure)
                            : saving.release(settings, ask, claim);
            };
        } catch (RuntimeException notSaved) {
            failure.addSuppressed(notSaved);
            return Optional.empty();
        }
    }

    private static boolean keepsFailure(RunSettings settings, RunningClaim claim) {
        return settings.keeping().keepsFailure(claim) || !mayRunAgain(settings, claim);
    }

    private static boolean mayRunAgain(RunSettings settings, RunningClaim claim) {
        return settings.leasing().takeOver() == LeaseExpiryPolicy.RESUME || claim.saidNothingHappened();
    }

    /** There is no record, so downstream keys come from the identity: still the same for a retry. */
    private RunningClaim unprotected(FingerprintedCall ask) {
        var id = new RecordId(new UUID(ask.lookup().high(), ask.lookup().low()));
        return RunningClaim.withoutRecord(id, environment);
    }
}
