package dev.refrain.internal.run;

import dev.refrain.api.ExecutionEnvironment;
import dev.refrain.api.OperationResult;
import dev.refrain.internal.claim.ClaimRules;
import dev.refrain.internal.claim.ClaimVerdict;
import dev.refrain.internal.claim.FingerprintedCall;
import dev.refrain.internal.replay.OutcomeCache;
import dev.refrain.internal.replay.WaiterRegistry;
import dev.refrain.internal.run.RunSettings.StoreOutagePolicy;
import dev.refrain.observe.RefrainEvent;
import dev.refrain.observe.RefrainEvent.ClaimResult;
import dev.refrain.observe.RefrainListener;
import dev.refrain.store.StoreException;
import dev.refrain.store.StoreOverloadedException;
import dev.refrain.store.StoredRecord;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Admission of a call, the same for every mode: the cache, then the claim, then waiting if configured. Ends with a claim or with
 * a result.
 */
final class CallAdmission {

    static final Duration RETRY_AFTER = Duration.ofSeconds(1);

    private final OutcomeCache cache;
    private final WaiterRegistry waiters;
    private final KeyQuota quota;
    private final ExecutionEnvironment environment;
    private final RefrainListener listener;

    CallAdmission(
            OutcomeCache cache,
            WaiterRegistry waiters,
            KeyQuota quota,
            ExecutionEnvironment environment,
            RefrainListener listener) {
        this.cache = cache;
        this.waiters = waiters;
        this.quota = quota;
        this.environment = environment;
        this.listener = listener;
    }

    sealed interface Admission {}

    /** The call is to run. */
    record Admitted(StoredRecord record, long askedAt) implements Admission {}

    /** The result already exists. */
    record Answered(OperationResult result) implements Admission {}

    Admission admit(RunSettings settings, FingerprintedCall ask, Supplier<ClaimVerdict> claim) {
        return admitWithoutCaching(settings, ask, () -> remembered(ask, claim));
    }

    /** Admits a call inside the caller's transaction: outcomes replayed there may still be rolled back, and are not cached. */
    Admission admitWithoutCaching(RunSettings settings, FingerprintedCall ask, Supplier<ClaimVerdict> claim) {
        long begun = environment.nanoTime();
        var remembered = cache.find(ask.identity(), ask.lookup()).flatMap(record -> ClaimRules.verdict(ask, record));
        if (remembered.isPresent()) {
            var result = remembered.get();
            boolean replay = result instanceof ClaimVerdict.Replay;
            report(settings, replay ? ClaimResult.REPLAY_FROM_CACHE : ClaimResult.MISMATCH, begun);
            return new Answered(answer(result, false));
        }
        quota.check(settings.operation(), ask.identity());
        boolean seenRunning = false;
        while (true) {
            long askedAt = environment.nanoTime();
            ClaimVerdict result;
            try {
                result = claim.get();
            } catch (StoreException away) {
                if (away instanceof StoreOverloadedException) {
                    listener.onEvent(new RefrainEvent.StoreOverloaded(settings.operation()));
                }
                if (seenRunning && settings.storeAway() == StoreOutagePolicy.RUN_UNPROTECTED) {
                    // Another caller is known to run it: failing open now would run it twice.
                    return new Answered(new OperationResult.InProgress(RETRY_AFTER));
                }
                throw away;
            }
            report(settings, kind(result), askedAt);
            switch (result) {
                case ClaimVerdict.Acquired acquired -> {
                    return new Admitted(acquired.record(), askedAt);
                }
                case ClaimVerdict.InProgress running -> {
                    seenRunning = true;
                    var afterWaiting = await(settings, ask, begun);
                    if (afterWaiting.isPresent()) {
                        return new Answered(afterWaiting.get());
                    }
                }
                default -> {
                    // A call that saw it running and is still here has waited for it.
                    return new Answered(answer(result, seenRunning));
                }
            }
        }
    }

    private ClaimVerdict remembered(FingerprintedCall ask, Supplier<ClaimVerdict> claim) {
        long askedAt = environment.nanoTime();
        var result = claim.get();
        if (result instanceof ClaimVerdict.Replay replay) {
            cache.put(ask.identity(), replay.record(), askedAt);
        }
        return result;
    }

    /** Waits; returns the result, or empty to claim again. */
    private Optional<OperationResult> await(RunSettings settings, FingerprintedCall ask, long begun) {
        var stillRunning = Optional.<OperationResult>of(new OperationResult.InProgress(RETRY_AFTER));
        if (!(settings.inFlight() instanceof ConcurrentRetryPolicy.WaitForOutcome wait)) {
            return stillRunning;
        }
        long waitFrom = environment.nanoTime();
        var turn = waiters.await(ask, begun + wait.limit().toNanos());
        if (turn instanceof WaiterRegistry.LimitReached) {
            listener.onEvent(new RefrainEvent.WaitRefused(settings.operation()));
            return stillRunning;
        }
        listener.onEvent(new RefrainEvent.Waited(settings.operation(), since(waitFrom)));
        return switch (turn) {
            case WaiterRegistry.Settled settled ->
                ClaimRules.verdict(ask, settled.record()).map(verdict -> answer(verdict, true));
            case WaiterRegistry.ClaimAgain again -> Optional.empty();
            default -> stillRunning;
        };
    }

    private void report(RunSettings settings, ClaimResult result, long since) {
        listener.onEvent(new RefrainEvent.Claimed(settings.operation(), result, since(since)));
    }

    private Duration since(long nanos) {
        return Duration.ofNanos(environment.nanoTime() - nanos);
    }

    private static OperationResult answer(ClaimVerdict result, boolean waited) {
        return switch (result) {
            case ClaimVerdict.Replay replay ->
                new OperationResult.Replayed(replay.record().id(), replay.outcome(), waited);
            case ClaimVerdict.Mismatch mismatch -> new OperationResult.Mismatch(mismatch.id());
            case ClaimVerdict.Attention attention -> new OperationResult.Attention(attention.claim());
            case ClaimVerdict.InProgress running -> new OperationResult.InProgress(RETRY_AFTER);
            case ClaimVerdict.Acquired acquired ->
                throw new IllegalStateException("An acquired claim has no result yet: " + acquired);
        };
    }

    private static ClaimResult kind(ClaimVerdict result) {
        return switch (result) {
            case ClaimVerdict.Acquired a -> ClaimResult.ACQUIRED;
            case ClaimVerdict.Replay r -> ClaimResult.REPLAY;
            case ClaimVerdict.InProgress i -> ClaimResult.IN_PROGRESS;
            case ClaimVerdict.Mismatch m -> ClaimResult.MISMATCH;
            case ClaimVerdict.Attention a -> ClaimResult.ATTENTION;
        };
    }
}
