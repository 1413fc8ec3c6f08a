package dev.refrain.run;

import dev.refrain.Environment;
import dev.refrain.batch.Lanes;
import dev.refrain.claim.Ask;
import dev.refrain.claim.Claimer;
import dev.refrain.claim.CurrentClaim;
import dev.refrain.key.RecordId;
import dev.refrain.observe.Event;
import dev.refrain.observe.Listener;
import dev.refrain.observe.Watch;
import dev.refrain.outcome.Outcome;
import dev.refrain.store.RowRejectedException;
import dev.refrain.store.StoreException;
import dev.refrain.store.StoreException.Effect;
import dev.refrain.store.TakeOver;
import dev.refrain.store.Transactions;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;

/**
 * Runs an operation leased: claim; then the work; then the outcome.
 *
 * <p>The residual window is a crash, or a pause longer than the lease, between the work and its record. With {@link
 * TakeOver#RESUME} a retry then runs it again under the same derived keys; with {@link TakeOver#HOLD} it goes to attention.
 */
public final class LeasedRun {

    private final Entry entry;
    private final Claimer claimer;
    private final Lanes lanes;
    private final Saving saving;
    private final Heartbeat heartbeat;
    private final Drain drain;
    private final Environment environment;
    private final Listener listener;

    LeasedRun(
            Entry entry,
            Claimer claimer,
            Lanes lanes,
            Saving saving,
            Heartbeat heartbeat,
            Drain drain,
            Environment environment,
            Listener listener) {
        this.entry = entry;
        this.claimer = claimer;
        this.lanes = lanes;
        this.saving = saving;
        this.heartbeat = heartbeat;
        this.drain = drain;
        this.environment = environment;
        this.listener = listener;
    }

    public <X extends Exception> RunResult run(RunSettings settings, Ask ask, RawWork<X> work) throws X {
        return runHere(settings, ask, work::run);
    }

    /** The same for work in phases, each of which commits by itself; the last one completes the record. */
    public <C, X extends Exception> RunResult runPhased(
            RunSettings settings, Ask ask, Transactions<C> transactions, PhasedWork<C, X> work) throws X {
        return runHere(
                settings,
                ask,
                claim -> work.run(new Phases<>(settings, ask, claim, transactions, saving, lanes, environment)));
    }

    private <X extends Exception> RunResult runHere(RunSettings settings, Ask ask, ClaimedWork<X> work) throws X {
        return Watched.observeCall(listener.onCall(settings.operation()), () -> {
            try (var working = drain.enter(settings.operation())) {
                return switch (begin(settings, ask, working)) {
                    case Begun.Answered answered -> answered.result();
                    case Running running -> running.run(work);
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
    public Opening open(RunSettings settings, Ask ask) {
        var watch = listener.onCall(settings.operation());
        Opening opening;
        try {
            opening = Watched.observePart(watch, () -> open(settings, ask, watch));
        } catch (RuntimeException | Error failure) {
            watch.onFailure(failure);
            throw failure;
        }
        if (opening instanceof Opening.Answered answered) {
            Watched.reportEnd(watch, answered.result());
        }
        return opening;
    }

    private Opening open(RunSettings settings, Ask ask, Watch watch) {
        var working = drain.enterDetached(settings.operation());
        boolean open = false;
        try {
            var begun = begin(settings, ask, working);
            open = begun instanceof Running;
            return switch (begun) {
                case Begun.Answered answered -> new Opening.Answered(answered.result());
                case Running running -> new OpenRun(running, working, watch);
            };
        } finally {
            if (!open) {
                working.close();
            }
        }
    }

    private Begun begin(RunSettings settings, Ask ask, Drain.Stay working) {
        Entry.Admission admission;
        try {
            admission = admit(settings, ask);
        } catch (StoreException away) {
            requireFailOpen(settings, away);
            return new Unprotected(settings, unprotected(ask));
        }
        return switch (admission) {
            case Entry.Answered answered -> new Begun.Answered(answered.result());
            case Entry.Admitted admitted -> claimed(settings, ask, admitted, working);
        };
    }

    private Entry.Admission admit(RunSettings settings, Ask ask) {
        var leasing = settings.leasing();
        var terms = new Claimer.Terms(
                leasing.lease(), leasing.takeOver(), settings.keeping().retention(), settings.patience());
        return entry.admit(settings, ask, () -> claimer.acquire(ask, terms));
    }

    /** Only a store that cannot be asked is failed open on: one that refuses a row, or waits for its lock, has been asked. */
    private void requireFailOpen(RunSettings settings, StoreException away) {
        if (settings.storeAway() == RunSettings.StoreAway.REFUSE || away instanceof RowRejectedException) {
            throw away;
        }
        listener.onEvent(new Event.FailedOpen(settings.operation(), away));
    }

    /** Work that was claimed, unless it is too late to begin it. */
    private Running claimed(RunSettings settings, Ask ask, Entry.Admitted admitted, Drain.Stay working) {
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
            listener.onEvent(new Event.Resumed(settings.operation(), claim.recordId(), claim.fence()));
        }
        heartbeat.startRenewing(claim, settings);
        return new Protected(settings, ask, claim);
    }

    /** What came of asking to run. */
    sealed interface Begun {
        record Answered(RunResult result) implements Begun {}
    }

    /** Work under way, until it is said how it ended: once, by either of two. */
    abstract static sealed class Running implements Begun {
        final RunSettings settings;
        final RunningClaim claim;

        Running(RunSettings settings, RunningClaim claim) {
            this.settings = settings;
            this.claim = claim;
        }

        abstract RunResult completed(Outcome.Answer answer);

        /** What is stored instead, if someone else took the claim over and completed it: then theirs is the outcome. */
        abstract Optional<RunResult> failed(Throwable failure);

        abstract boolean keepsFailure();

        /** Nothing more is done for it here: it has its lease, and that ends. */
        abstract void left();

        /** Work that gives no answer at all has failed, whatever it did: there is nothing to keep. */
        final <X extends Exception> RunResult run(ClaimedWork<X> work) throws X {
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

    private final class Protected extends Running {
        private final Ask ask;

        Protected(RunSettings settings, Ask ask, RunningClaim claim) {
            super(settings, claim);
            this.ask = ask;
        }

        @Override
        RunResult completed(Outcome.Answer answer) {
            try {
                return claim.isSettled()
                        ? saving.reportCompletion(settings, claim, answer)
                        : afterAnswer(settings, ask, claim, answer);
            } finally {
                heartbeat.stopRenewing(claim);
            }
        }

        @Override
        Optional<RunResult> failed(Throwable failure) {
            try {
                return afterFailure(settings, ask, claim, failure);
            } finally {
                heartbeat.stopRenewing(claim);
            }
        }

        @Override
        boolean keepsFailure() {
            return LeasedRun.keepsFailure(settings, claim);
        }

        @Override
        void left() {
            heartbeat.stopRenewing(claim);
        }
    }

    /** Runs although the store is out of reach; there is nothing to save it to. */
    private static final class Unprotected extends Running {
        Unprotected(RunSettings settings, RunningClaim claim) {
            super(settings, claim);
        }

        @Override
        RunResult completed(Outcome.Answer answer) {
            return new RunResult.Ran(answer);
        }

        @Override
        Optional<RunResult> failed(Throwable failure) {
            return Optional.empty();
        }

        @Override
        boolean keepsFailure() {
            return settings.keeping().keepsFailure(claim);
        }

        @Override
        void left() {}
    }

    private RunResult afterAnswer(RunSettings settings, Ask ask, RunningClaim claim, Outcome.Answer answer) {
        boolean kept = claim.kept() && settings.keeping().keeps(answer);
        if (kept || !mayRunAgain(settings, claim)) {
            return saving.complete(settings, ask, claim, answer);
        }
        return saving.release(settings, ask, claim).orElseGet(() -> new RunResult.Ran(answer));
    }

    /**
     * The failure reaches the caller as it was thrown, and here only decides what a retry will meet; unless someone else took
     * the claim over and completed it: then theirs is the outcome.
     */
    private Optional<RunResult> afterFailure(RunSettings settings, Ask ask, RunningClaim claim, Throwable failure) {
        if (claim.isLeftToLease()) {
            return Optional.empty();
        }
        try {
            return switch (failure) {
                case ClaimLostException lost -> Optional.of(saving.replayWinner(settings, ask, claim, lost.current()));
                case PutOffException later ->
                    saving.release(settings, ask, claim, later.retryAfter())
                            .or(() -> Optional.of(new RunResult.StillRunning(later.retryAfter())));
                case UnknowableException unknowable ->
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
        return settings.leasing().takeOver() == TakeOver.RESUME || claim.saidNothingHappened();
    }

    /** There is no record, so downstream keys come from the identity: still the same for a retry. */
    private RunningClaim unprotected(Ask ask) {
        var id = new RecordId(new UUID(ask.lookup().high(), ask.lookup().low()));
        return RunningClaim.withoutRecord(id, environment);
    }
}
