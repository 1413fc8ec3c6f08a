package dev.refrain.run;

import dev.refrain.Environment;
import dev.refrain.claim.Ask;
import dev.refrain.claim.Claimer;
import dev.refrain.key.RecordId;
import dev.refrain.observe.Event;
import dev.refrain.observe.Listener;
import dev.refrain.outcome.Outcome;
import dev.refrain.store.StoreException;
import dev.refrain.store.TakeOver;
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
    private final Saving saving;
    private final Heartbeat heartbeat;
    private final Drain drain;
    private final Environment environment;
    private final Listener listener;

    LeasedRun(
            Entry entry,
            Claimer claimer,
            Saving saving,
            Heartbeat heartbeat,
            Drain drain,
            Environment environment,
            Listener listener) {
        this.entry = entry;
        this.claimer = claimer;
        this.saving = saving;
        this.heartbeat = heartbeat;
        this.drain = drain;
        this.environment = environment;
        this.listener = listener;
    }

    public <X extends Exception> RunResult run(RunSettings settings, Ask ask, RawWork<X> work) throws X {
        try (var working = drain.enter(settings.operation())) {
            return enterAndRun(settings, ask, work);
        }
    }

    private <X extends Exception> RunResult enterAndRun(RunSettings settings, Ask ask, RawWork<X> work) throws X {
        var leasing = settings.leasing();
        var terms = new Claimer.Terms(
                leasing.lease(), leasing.takeOver(), settings.keeping().retention(), settings.patience());
        Entry.Admission admission;
        try {
            admission = entry.admit(settings, ask, () -> claimer.claim(ask, terms));
        } catch (StoreException away) {
            if (settings.storeAway() == RunSettings.StoreAway.REFUSE) {
                throw away;
            }
            listener.on(new Event.FailedOpen(settings.operation(), away));
            return new RunResult.Ran(work.run(unprotected(ask)));
        }
        return switch (admission) {
            case Entry.Answered answered -> answered.result();
            case Entry.Admitted admitted -> runClaimed(settings, ask, admitted, work);
        };
    }

    private <X extends Exception> RunResult runClaimed(
            RunSettings settings, Ask ask, Entry.Admitted admitted, RawWork<X> work) throws X {
        var claim = new RunningClaim(
                admitted.record(),
                environment,
                admitted.askedAt(),
                settings.leasing().lease());
        if (claim.resumed()) {
            listener.on(new Event.Resumed(settings.operation(), claim.recordId(), claim.fence()));
        }
        heartbeat.watch(claim, settings);
        try {
            Outcome.Answer answer;
            try {
                answer = work.run(claim);
            } catch (Throwable failure) {
                afterFailure(settings, ask, claim, failure);
                throw failure;
            }
            return afterAnswer(settings, ask, claim, answer);
        } finally {
            heartbeat.forget(claim);
        }
    }

    private RunResult afterAnswer(RunSettings settings, Ask ask, RunningClaim claim, Outcome.Answer answer) {
        boolean kept = claim.kept() && settings.keeping().profile().keeps().test(answer);
        if (kept || !mayRunAgain(settings, claim)) {
            return saving.complete(settings, ask, claim, answer);
        }
        saving.release(settings, claim);
        return new RunResult.Ran(answer);
    }

    /** The failure reaches the caller as it was thrown; here it only decides what a retry will meet. */
    private void afterFailure(RunSettings settings, Ask ask, RunningClaim claim, Throwable failure) {
        try {
            if (settings.keeping().profile().keepsExceptions() || !mayRunAgain(settings, claim)) {
                saving.complete(settings, ask, claim, Failure.asAnswer(failure));
            } else {
                saving.release(settings, claim);
            }
        } catch (RuntimeException notSaved) {
            failure.addSuppressed(notSaved);
        }
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
