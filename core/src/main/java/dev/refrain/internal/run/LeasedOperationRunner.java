package dev.refrain.internal.run;

import dev.refrain.api.AsyncRunStart;
import dev.refrain.api.CurrentClaim;
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
import dev.refrain.store.StoreOverloadedException;
import dev.refrain.store.StoreTransactionFactory;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Runs a leased operation: claims and commits the key, then runs the work, then stores the outcome.
 *
 * <p>The remaining window is a crash, or a pause longer than the lease, between the work and its record. With {@link
 * LeaseExpiryPolicy#RESUME} a retry then runs it again under the same derived keys; with {@link LeaseExpiryPolicy#HOLD} it moves
 * to attention.
 */
public final class LeasedOperationRunner {

    private final CallAdmission entry;
    private final ClaimAcquirer claimer;
    private final BatchedStoreClient storeClient;
    private final OutcomeRecorder saving;
    private final LeaseHeartbeat heartbeat;
    private final GracefulShutdown drain;
    private final ExecutionEnvironment environment;
    private final RefrainListener listener;

    LeasedOperationRunner(
            CallAdmission entry,
            ClaimAcquirer claimer,
            BatchedStoreClient storeClient,
            OutcomeRecorder saving,
            LeaseHeartbeat heartbeat,
            GracefulShutdown drain,
            ExecutionEnvironment environment,
            RefrainListener listener) {
        this.entry = entry;
        this.claimer = claimer;
        this.storeClient = storeClient;
        this.saving = saving;
        this.heartbeat = heartbeat;
        this.drain = drain;
        this.environment = environment;
        this.listener = listener;
    }

    public <X extends Exception> OperationResult run(
            RunSettings settings, FingerprintedCall ask, LeasedAnswerWork<X> work) throws X {
        return runHere(settings, ask, ConnectionCheck.NONE, work::run);
    }

    /** Runs work in phases, each of which commits by itself; the last one completes the record. Connections are checked until the first began. */
    public <C, X extends Exception> OperationResult runPhased(
            RunSettings settings,
            FingerprintedCall ask,
            StoreTransactionFactory<C> transactions,
            ConnectionCheck connections,
            PhasedWork<C, X> work)
            throws X {
        var phased = new AtomicReference<@Nullable PhasedRunningClaim<C>>();
        try {
            return runHere(settings, ask, connections, claim -> {
                var phases = new PhasedRunningClaim<>(
                        settings, ask, claim, transactions, saving, storeClient, environment, connections);
                phased.set(phases);
                return work.run(phases);
            });
        } catch (StoreException failure) {
            var phases = phased.get();
            if (phases != null && failure instanceof StoreOverloadedException) {
                listener.onEvent(new RefrainEvent.StoreOverloaded(settings.operation()));
            }
            throw phases == null ? failure : phases.explained(failure);
        }
    }

    private <X extends Exception> OperationResult runHere(
            RunSettings settings, FingerprintedCall ask, ConnectionCheck connections, ClaimedWork<X> work) throws X {
        return ObservedRun.observeCall(listener.onCall(settings.operation()), () -> {
            try (var working = drain.enter(settings.operation())) {
                return switch (begin(settings, ask, connections, working)) {
                    case StartResult.Answered answered -> answered.result();
                    case StartedRun running -> running.run(work);
                };
            }
        });
    }

    /** Work under a claim. */
    @FunctionalInterface
    interface ClaimedWork<X extends Exception> {
        Outcome.Answer run(RunningClaim claim) throws X;
    }

    /**
     * Starts work that does not end on the thread it began on: claims now, and the caller reports the end. Until then the lease
     * is renewed, up to the operation's maximum run time.
     */
    public AsyncRunStart open(RunSettings settings, FingerprintedCall ask) {
        var watch = listener.onCall(settings.operation());
        AsyncRunStart opening;
        try {
            opening = ObservedRun.observePart(watch, () -> open(settings, ask, watch));
        } catch (RuntimeException | Error failure) {
            watch.onFailure(failure);
            throw failure;
        }
        if (opening instanceof AsyncRunStart.AlreadyAnswered answered) {
            ObservedRun.reportEnd(watch, answered.result());
        }
        return opening;
    }

    private AsyncRunStart open(RunSettings settings, FingerprintedCall ask, CallObserver watch) {
        var working = drain.enterDetached(settings.operation());
        boolean open = false;
        try {
            var begun = begin(settings, ask, ConnectionCheck.NONE, working);
            open = begun instanceof StartedRun;
            return switch (begun) {
                case StartResult.Answered answered -> new AsyncRunStart.AlreadyAnswered(answered.result());
                case StartedRun running -> new LeasedAsyncRun(running, working, watch);
            };
        } finally {
            if (!open) {
                working.close();
            }
        }
    }

    /** Returns true if a call of this scope would be refused now. */
    public boolean isOverloaded(RunSettings settings, String scope) {
        return !storeClient.hasCapacity(scope, settings.patience());
    }

    private StartResult begin(
            RunSettings settings,
            FingerprintedCall ask,
            ConnectionCheck connections,
            GracefulShutdown.ActiveCall working) {
        CallAdmission.Admission admission;
        try {
            admission = admit(settings, ask, connections);
        } catch (StoreException away) {
            requireFailOpen(settings, away);
            return new UnprotectedRun(settings, unprotected(ask));
        }
        return switch (admission) {
            case CallAdmission.Answered answered -> new StartResult.Answered(answered.result());
            case CallAdmission.Admitted admitted -> claimed(settings, ask, admitted, working);
        };
    }

    private CallAdmission.Admission admit(RunSettings settings, FingerprintedCall ask, ConnectionCheck connections) {
        var leasing = settings.leasing();
        var terms = new ClaimAcquirer.ClaimTerms(
                leasing.lease(), leasing.takeOver(), settings.keeping().retention(), settings.patience());
        return entry.admit(settings, ask, () -> {
            try {
                connections.require();
            } catch (StoreOverloadedException scarce) {
                // What is done needs no connection of the pool.
                return claimer.findVerdict(ask, settings.patience()).orElseThrow(() -> scarce);
            }
            return claimer.acquire(ask, terms);
        });
    }

    /**
     * Requires that the store is unreachable; one that rejects a row, waits for its lock or has too much to do can be reached, so
     * the call must not fail open.
     */
    private void requireFailOpen(RunSettings settings, StoreException away) {
        if (settings.storeAway() == RunSettings.StoreOutagePolicy.REFUSE
                || away instanceof RowRejectedException
                || away instanceof StoreOverloadedException) {
            throw away;
        }
        listener.onEvent(new RefrainEvent.FailedOpen(settings.operation(), away));
    }

    /** Starts claimed work, unless its lease has already expired. */
    private StartedRun claimed(
            RunSettings settings,
            FingerprintedCall ask,
            CallAdmission.Admitted admitted,
            GracefulShutdown.ActiveCall working) {
        var claim = new RunningClaim(
                admitted.record(),
                environment,
                admitted.askedAt(),
                settings.leasing().lease(),
                claimer.storingSteps(ask));
        if (working.isStopRequested()) {
            saving.release(settings, ask, claim, "the instance was shutting down");
            throw new ShuttingDownException(settings.operation());
        }
        if (claim.isLost()) {
            saving.release(settings, ask, claim, "the store answered the claim after its lease");
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

    /** Result of starting a run. */
    sealed interface StartResult {
        record Answered(OperationResult result) implements StartResult {}
    }

    /** Run in progress, until its end is reported: exactly once, as completed or failed. */
    abstract static sealed class StartedRun implements StartResult {
        final RunSettings settings;
        final RunningClaim claim;

        StartedRun(RunSettings settings, RunningClaim claim) {
            this.settings = settings;
            this.claim = claim;
        }

        abstract OperationResult completed(Outcome.Answer answer);

        /** Reports a failure; returns the outcome of another claim that took this one over and completed it. */
        abstract Optional<OperationResult> failed(Throwable failure);

        abstract boolean keepsFailure();

        /** Ends the run here without any write: its claim is held until its lease expires. */
        abstract void left();

        /** Runs the work. Work that returns null has failed, whatever it did: there is nothing to store. */
        final <X extends Exception> OperationResult run(ClaimedWork<X> work) throws X {
            Outcome.Answer answer;
            try (var here = CurrentClaim.enterLeased(claim)) {
                answer = Objects.requireNonNull(
                        work.run(claim), () -> settings.operation() + ": the work returned null instead of an answer");
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

    /** Runs although the store is unreachable; its outcome is not stored. */
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
            if (!claim.kept()) {
                claim.keepStateOnly("The work asked not to keep its answer.");
            }
            return saving.complete(settings, ask, claim, answer);
        }
        return saving.release(settings, ask, claim, "answered " + answer.status() + ", which is not kept")
                .orElseGet(() -> new OperationResult.Ran(answer));
    }

    /**
     * Decides what a retry will find. The caller gets the exception itself, unless another claim took this one over and completed
     * it: then that outcome counts.
     */
    private Optional<OperationResult> afterFailure(
            RunSettings settings, FingerprintedCall ask, RunningClaim claim, Throwable failure) {
        if (claim.isLeftToLease()) {
            return Optional.empty();
        }
        String threw = "threw " + failure.getClass().getName();
        var unknown = EffectUnknownException.findIn(failure);
        try {
            if (unknown.isPresent()) {
                return saving.escalate(
                        settings, ask, claim, String.valueOf(unknown.get().getMessage()));
            }
            return switch (failure) {
                case ClaimLostException lost -> Optional.of(saving.replayWinner(settings, ask, claim, claim.winner()));
                case RetryLaterException later ->
                    saving.release(settings, ask, claim, later.retryAfter(), "put off by the work")
                            .or(() -> Optional.of(new OperationResult.InProgress(later.retryAfter())));
                default ->
                    keepsFailure(settings, claim)
                            ? saving.keepFailure(settings, ask, claim, failure)
                            : saving.release(settings, ask, claim, threw);
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

    /** Creates a claim without a record: derived keys come from the identity, so that they are still the same for a retry. */
    private RunningClaim unprotected(FingerprintedCall ask) {
        var id = new RecordId(new UUID(ask.lookup().high(), ask.lookup().low()));
        return RunningClaim.withoutRecord(id, environment);
    }
}
