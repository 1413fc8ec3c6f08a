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
        var outcome = toKeep(settings, claim, answer);
        WriteAnswer saved;
        try {
            saved = save(settings, claim, new Write.Complete(claim.ref(), outcome, claim.retention()));
        } catch (RowRejectedException unstorable) {
            listener.on(new Event.OutcomeNotKept(settings.operation(), claim.recordId(), unstorable.toString()));
            outcome = Optional.empty();
            saved = save(settings, claim, new Write.Complete(claim.ref(), outcome, claim.retention()));
        }
        return switch (saved) {
            case WriteAnswer.Written written -> {
                listener.on(new Event.Completed(settings.operation(), claim.recordId(), claim.ran()));
                waiters.completed(claim.record().completedWith(outcome));
                yield new RunResult.Ran(answer);
            }
            case WriteAnswer.Refused refused -> {
                claim.fencedOut();
                listener.on(new Event.FencedOut(settings.operation(), claim.recordId(), claim.fence()));
                yield stored(settings, ask, claim, refused.current());
            }
        };
    }

    /** If it cannot be told to the store, the lease runs out and the record is settled by whoever comes next. */
    void release(RunSettings settings, RunningClaim claim) {
        save(settings, claim, new Write.Release(claim.ref()));
        listener.on(new Event.Released(settings.operation(), claim.recordId(), claim.ran()));
        waiters.released(claim.ref().lookup());
    }

    /** Asks until it is answered or the lease, renewed meanwhile or not, is over. */
    private WriteAnswer save(RunSettings settings, RunningClaim claim, Write write) {
        while (true) {
            var left = claim.leaseLeft();
            try {
                return lanes.write(write, left.compareTo(LEAST_PATIENCE) > 0 ? left : LEAST_PATIENCE);
            } catch (StoreException e) {
                if (e instanceof RowRejectedException && !e.passing()) {
                    throw e;
                }
                if (!e.passing() || !claim.leaseLeft().isPositive()) {
                    throw unknown(settings, claim, "the store could not be told.", e);
                }
            }
        }
    }

    /** The claim was lost: wait for whoever has it, within reason, and answer as they did. */
    private RunResult stored(RunSettings settings, Ask ask, RunningClaim claim, Optional<StoredRecord> current) {
        var settled = current.filter(r -> r.state() != State.IN_PROGRESS && r.state() != State.RELEASED);
        if (settled.isEmpty() && current.isPresent()) {
            long deadline = environment.nanos() + settings.leasing().lease().toNanos();
            if (waiters.await(ask, deadline) instanceof Waiters.Settled now) {
                settled = Optional.of(now.record());
            }
        }
        return settled.flatMap(record -> Judge.judge(ask, record))
                .filter(result -> result instanceof ClaimResult.Replay)
                .map(ClaimResult.Replay.class::cast)
                .<RunResult>map(replay -> new RunResult.Replayed(replay.record().id(), replay.outcome()))
                .orElseThrow(() -> unknown(settings, claim, "someone else took the claim over.", null));
    }

    /** What is stored of an answer; nothing but the state if it is too large, which never frees the key. */
    Optional<Payload> toKeep(RunSettings settings, RunningClaim claim, Outcome.Answer answer) {
        if (settings.keeping().form() == Keeping.Form.STATE_ONLY) {
            return Optional.empty();
        }
        var encoded = OutcomeFormat.encode(answer);
        int most = settings.keeping().maxBytes();
        var whyNot = encoded.size() > most
                ? Optional.of("It has " + encoded.size() + " bytes, and at most " + most + " are kept.")
                : claim.whyStateOnly();
        whyNot.ifPresent(
                reason -> listener.on(new Event.OutcomeNotKept(settings.operation(), claim.recordId(), reason)));
        return whyNot.isPresent() ? Optional.empty() : Optional.of(encoded);
    }

    OutcomeUnknownException unknown(RunSettings settings, RunningClaim claim, String found, @Nullable Throwable cause) {
        listener.on(new Event.OutcomeUnknown(settings.operation(), claim.recordId()));
        return new OutcomeUnknownException(settings.operation(), claim.recordId(), found, cause);
    }
}
