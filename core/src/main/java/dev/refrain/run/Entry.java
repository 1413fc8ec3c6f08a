package dev.refrain.run;

import dev.refrain.Environment;
import dev.refrain.claim.Ask;
import dev.refrain.claim.ClaimResult;
import dev.refrain.claim.Judge;
import dev.refrain.observe.Event;
import dev.refrain.observe.Event.Result;
import dev.refrain.observe.Listener;
import dev.refrain.replay.OutcomeCache;
import dev.refrain.replay.Waiters;
import dev.refrain.run.RunSettings.StoreAway;
import dev.refrain.store.StoreException;
import dev.refrain.store.StoredRecord;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The way in, the same for every mode: what this process remembers, then the claim, then waiting if that was asked for. Ends
 * with the claim or with an answer.
 */
final class Entry {

    static final Duration RETRY_AFTER = Duration.ofSeconds(1);

    private final OutcomeCache cache;
    private final Waiters waiters;
    private final Quota quota;
    private final Environment environment;
    private final Listener listener;

    Entry(OutcomeCache cache, Waiters waiters, Quota quota, Environment environment, Listener listener) {
        this.cache = cache;
        this.waiters = waiters;
        this.quota = quota;
        this.environment = environment;
        this.listener = listener;
    }

    sealed interface Admission {}

    /** Run it. */
    record Admitted(StoredRecord record, long askedAt) implements Admission {}

    /** There is nothing to run. */
    record Answered(RunResult result) implements Admission {}

    Admission admit(RunSettings settings, Ask ask, Supplier<ClaimResult> claim) {
        return admitWithoutCaching(settings, ask, () -> remembered(ask, claim));
    }

    /** For whoever asks inside the caller's transaction: what is replayed there may yet be rolled back, and is not remembered. */
    Admission admitWithoutCaching(RunSettings settings, Ask ask, Supplier<ClaimResult> claim) {
        long begun = environment.nanoTime();
        var remembered = cache.find(ask.identity(), ask.lookup()).flatMap(record -> Judge.verdict(ask, record));
        if (remembered.isPresent()) {
            var result = remembered.get();
            boolean replay = result instanceof ClaimResult.Replay;
            report(settings, replay ? Result.REPLAY_FROM_CACHE : Result.MISMATCH, begun);
            return new Answered(answer(result));
        }
        quota.check(settings.operation(), ask.identity());
        boolean seenRunning = false;
        while (true) {
            long askedAt = environment.nanoTime();
            ClaimResult result;
            try {
                result = claim.get();
            } catch (StoreException away) {
                if (seenRunning && settings.storeAway() == StoreAway.RUN_UNPROTECTED) {
                    // Someone is known to run it: failing open now would make it two.
                    return new Answered(new RunResult.StillRunning(RETRY_AFTER));
                }
                throw away;
            }
            report(settings, kind(result), askedAt);
            switch (result) {
                case ClaimResult.Acquired acquired -> {
                    return new Admitted(acquired.record(), askedAt);
                }
                case ClaimResult.InProgress running -> {
                    seenRunning = true;
                    var afterWaiting = await(settings, ask, begun);
                    if (afterWaiting.isPresent()) {
                        return new Answered(afterWaiting.get());
                    }
                }
                default -> {
                    return new Answered(answer(result));
                }
            }
        }
    }

    private ClaimResult remembered(Ask ask, Supplier<ClaimResult> claim) {
        long askedAt = environment.nanoTime();
        var result = claim.get();
        if (result instanceof ClaimResult.Replay replay) {
            cache.put(ask.identity(), replay.record(), askedAt);
        }
        return result;
    }

    /** What the waiting ended with; empty to claim again. */
    private Optional<RunResult> await(RunSettings settings, Ask ask, long begun) {
        var stillRunning = Optional.<RunResult>of(new RunResult.StillRunning(RETRY_AFTER));
        if (!(settings.inFlight() instanceof InFlight.Wait wait)) {
            return stillRunning;
        }
        long waitFrom = environment.nanoTime();
        var turn = waiters.await(ask, begun + wait.limit().toNanos());
        if (turn instanceof Waiters.TooMany) {
            listener.onEvent(new Event.WaitRefused(settings.operation()));
            return stillRunning;
        }
        listener.onEvent(new Event.Waited(settings.operation(), since(waitFrom)));
        return switch (turn) {
            case Waiters.Settled settled -> Judge.verdict(ask, settled.record()).map(Entry::answer);
            case Waiters.AskAgain again -> Optional.empty();
            default -> stillRunning;
        };
    }

    private void report(RunSettings settings, Result result, long since) {
        listener.onEvent(new Event.Claimed(settings.operation(), result, since(since)));
    }

    private Duration since(long nanos) {
        return Duration.ofNanos(environment.nanoTime() - nanos);
    }

    private static RunResult answer(ClaimResult result) {
        return result instanceof ClaimResult.Replay replay
                ? new RunResult.Replayed(replay.record().id(), replay.outcome())
                : new RunResult.Refused(result);
    }

    private static Result kind(ClaimResult result) {
        return switch (result) {
            case ClaimResult.Acquired a -> Result.ACQUIRED;
            case ClaimResult.Replay r -> Result.REPLAY;
            case ClaimResult.InProgress i -> Result.IN_PROGRESS;
            case ClaimResult.Mismatch m -> Result.MISMATCH;
            case ClaimResult.Attention a -> Result.ATTENTION;
        };
    }
}
