package dev.refrain.run;

import dev.refrain.Environment;
import dev.refrain.batch.Lanes;
import dev.refrain.claim.Ask;
import dev.refrain.claim.ClaimResult;
import dev.refrain.claim.Judge;
import dev.refrain.observe.Event;
import dev.refrain.observe.Listener;
import dev.refrain.outcome.Outcome;
import dev.refrain.outcome.OutcomeFormat;
import dev.refrain.outcome.Payload;
import dev.refrain.replay.Waiters;
import dev.refrain.store.RowRejectedException;
import dev.refrain.store.State;
import dev.refrain.store.StoreException;
import dev.refrain.store.StoredRecord;
import dev.refrain.store.Write;
import dev.refrain.store.WriteAnswer;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What follows the work: the outcome is stored before anyone is answered, for as long as the lease lives if need be. A
 * runner that lost its claim answers with what is stored, never with a result of its own.
 */
final class Saving {

    /** Even a lease that is over gets one try: if nobody took it over, the outcome is still taken. */
    private static final Duration LEAST_PATIENCE = Duration.ofSeconds(1);

    private static final Duration PAUSE = Duration.ofMillis(100);

    private final Lanes lanes;
    private final Waiters waiters;
    private final Environment environment;
    private final Listener listener;

    Saving(Lanes lanes, Waiters waiters, Environment environment, Listener listener) {
        this.lanes = lanes;
        this.waiters = waiters;
        this.environment = environment;
        this.listener = listener;
    }

    RunResult complete(RunSettings settings, Ask ask, RunningClaim claim, Outcome.Answer answer) {
        return switch (save(settings, claim, answer)) {
            case WriteAnswer.Written written -> new RunResult.Ran(answer);
            case WriteAnswer.Refused refused -> replayWinner(settings, ask, claim, refused.current());
        };
    }

    /** Keeps what the work threw as the outcome. Gives the outcome that stands instead, if there is one. */
    Optional<RunResult> keepFailure(RunSettings settings, Ask ask, RunningClaim claim, Throwable failure) {
        return switch (save(settings, claim, Failure.toAnswer(failure))) {
            case WriteAnswer.Written written -> Optional.empty();
            case WriteAnswer.Refused refused -> refused.current().flatMap(record -> replay(ask, record));
        };
    }

    /**
     * Gives the claim back. If that cannot be told to the store, the lease runs out and the record is settled by whoever comes
     * next. Gives the outcome that stands instead, if someone else took the claim over and completed it.
     */
    Optional<RunResult> release(RunSettings settings, Ask ask, RunningClaim claim) {
        return release(settings, ask, claim, Duration.ZERO);
    }

    /** @param pause for so long nobody takes it up without its caller */
    Optional<RunResult> release(RunSettings settings, Ask ask, RunningClaim claim, Duration pause) {
        WriteAnswer released;
        try {
            released = write(claim, new Write.Release(claim.ref(), pause));
        } catch (StoreException stillAway) {
            // Reported by the lane.
            return Optional.empty();
        }
        return switch (released) {
            case WriteAnswer.Written written -> {
                listener.onEvent(new Event.Released(settings.operation(), claim.recordId(), claim.ran()));
                waiters.wakeOne(claim.ref().lookup());
                yield Optional.empty();
            }
            case WriteAnswer.Refused refused -> {
                fencedOut(settings, claim);
                yield refused.current().flatMap(record -> replay(ask, record));
            }
        };
    }

    /** The work itself has completed the record; those who wait here for it are told. */
    RunResult reportCompletion(RunSettings settings, RunningClaim claim, Outcome.Answer answer) {
        completed(settings, claim, claim.settledWith());
        return new RunResult.Ran(answer);
    }

    /** Leaves it to a person, a rule or the reconciler. Gives the outcome that stands instead, if there is one. */
    Optional<RunResult> escalate(RunSettings settings, Ask ask, RunningClaim claim, String why) {
        return switch (write(claim, new Write.Escalate(claim.ref(), why))) {
            case WriteAnswer.Written written -> {
                listener.onEvent(new Event.OutcomeUnknown(settings.operation(), claim.recordId()));
                waiters.wakeOne(claim.ref().lookup());
                yield Optional.of(new RunResult.Refused(new ClaimResult.Attention(claim.ref())));
            }
            case WriteAnswer.Refused refused -> {
                fencedOut(settings, claim);
                yield refused.current().flatMap(record -> replay(ask, record));
            }
        };
    }

    private void completed(RunSettings settings, RunningClaim claim, Optional<Payload> outcome) {
        listener.onEvent(new Event.Completed(settings.operation(), claim.recordId(), claim.ran()));
        waiters.wakeAll(claim.record().asCompleted(outcome));
    }

    private WriteAnswer save(RunSettings settings, RunningClaim claim, Outcome.Answer answer) {
        var outcome = toStoredOutcome(settings, claim, answer);
        WriteAnswer saved;
        try {
            try {
                saved = write(claim, completion(settings, claim, outcome));
            } catch (RowRejectedException unstorable) {
                if (unstorable.isTransient()) {
                    // Only locked: it could be kept, and what is said of it now must be true for ever.
                    throw unstorable;
                }
                notKept(settings, claim, "The store cannot hold it.");
                outcome = Failure.withoutMessage(answer).map(OutcomeFormat::encode);
                saved = write(claim, completion(settings, claim, outcome));
            }
        } catch (StoreException e) {
            throw outcomeUnknown(settings, claim, "the store could not be told.", e);
        }
        switch (saved) {
            case WriteAnswer.Written written -> completed(settings, claim, outcome);
            case WriteAnswer.Refused refused -> fencedOut(settings, claim);
        }
        return saved;
    }

    private static Write completion(RunSettings settings, RunningClaim claim, Optional<Payload> outcome) {
        return new Write.Complete(claim.ref(), outcome, settings.keeping().retention(claim));
    }

    /**
     * Asks until it is answered or the lease is over: renewed meanwhile or not if the store is away, and as it was at first if
     * the store says no. That can pass too, as a read-only standby does, but it is not worth the whole running time.
     */
    private WriteAnswer write(RunningClaim claim, Write write) {
        long refusedUntil = environment.nanoTime() + claim.leaseLeft().toNanos();
        while (true) {
            var left = claim.leaseLeft();
            try {
                return lanes.write(write, left.compareTo(LEAST_PATIENCE) > 0 ? left : LEAST_PATIENCE);
            } catch (StoreException e) {
                boolean neverStorable = e instanceof RowRejectedException && !e.isTransient();
                boolean over = e.isTransient() ? !claim.leaseLeft().isPositive() : refusedUntil - environment.nanoTime() <= 0;
                if (neverStorable || over) {
                    throw e;
                }
                environment.sleep(PAUSE);
            }
        }
    }

    private void fencedOut(RunSettings settings, RunningClaim claim) {
        claim.fencedOut();
        listener.onEvent(new Event.FencedOut(settings.operation(), claim.recordId(), claim.fence()));
    }

    /** The claim was lost: wait for whoever has it, within reason, and answer as they did. */
    RunResult replayWinner(RunSettings settings, Ask ask, RunningClaim claim, Optional<StoredRecord> current) {
        var settled = current.filter(r -> r.state() != State.IN_PROGRESS && r.state() != State.RELEASED);
        if (settled.isEmpty() && current.isPresent()) {
            long deadline = environment.nanoTime() + settings.leasing().lease().toNanos();
            switch (waiters.await(ask, deadline)) {
                case Waiters.Settled now -> settled = Optional.of(now.record());
                // Whoever ran has run already, and leaves the turn to one who has not.
                case Waiters.AskAgain turn -> waiters.wakeOne(ask.lookup());
                default -> {}
            }
        }
        return settled.flatMap(record -> replay(ask, record))
                .orElseThrow(() -> outcomeUnknown(settings, claim, "someone else took the claim over.", null));
    }

    private static Optional<RunResult> replay(Ask ask, StoredRecord record) {
        return Judge.verdict(ask, record)
                .filter(result -> result instanceof ClaimResult.Replay)
                .map(ClaimResult.Replay.class::cast)
                .map(replay -> new RunResult.Replayed(replay.record().id(), replay.outcome()));
    }

    /** What is stored of an answer; nothing but the state if it is too large, which never frees the key. */
    Optional<Payload> toStoredOutcome(RunSettings settings, RunningClaim claim, Outcome.Answer answer) {
        var state = Failure.withoutMessage(answer).map(OutcomeFormat::encode);
        if (settings.keeping().form() == Keeping.Form.STATE_ONLY) {
            return state;
        }
        if (claim.whyStateOnly().isPresent()) {
            notKept(settings, claim, claim.whyStateOnly().get());
            return state;
        }
        int most = settings.keeping().maxBytes();
        // The body alone may be too much to make a copy of.
        int size = answer.body().size();
        if (size <= most) {
            var encoded = OutcomeFormat.encode(answer);
            if (encoded.size() <= most) {
                return Optional.of(encoded);
            }
            size = encoded.size();
        }
        notKept(settings, claim, "It has " + size + " bytes, and at most " + most + " are kept.");
        return state;
    }

    /** It stands at this point now. */
    void reportCheckpoint(RunSettings settings, RunningClaim claim, String stored) {
        boolean mayHaveSent = stored.endsWith(StoredRecord.MAY_HAVE_SENT);
        listener.onEvent(new Event.Passed(
                settings.operation(),
                claim.recordId(),
                mayHaveSent ? stored.substring(0, stored.length() - StoredRecord.MAY_HAVE_SENT.length()) : stored,
                mayHaveSent));
    }

    private void notKept(RunSettings settings, RunningClaim claim, String reason) {
        listener.onEvent(new Event.OutcomeNotKept(settings.operation(), claim.recordId(), reason));
    }

    OutcomeUnknownException outcomeUnknown(RunSettings settings, RunningClaim claim, String found, @Nullable Throwable cause) {
        listener.onEvent(new Event.OutcomeUnknown(settings.operation(), claim.recordId()));
        return new OutcomeUnknownException(settings.operation(), claim.recordId(), found, cause);
    }
}
