package dev.refrain.internal.run;

import dev.refrain.api.ExecutionEnvironment;
import dev.refrain.api.OperationResult;
import dev.refrain.api.Outcome;
import dev.refrain.api.OutcomeUnknownException;
import dev.refrain.api.Payload;
import dev.refrain.api.RecoveryPoint;
import dev.refrain.api.StoredFailure;
import dev.refrain.internal.batch.BatchedStoreClient;
import dev.refrain.internal.claim.ClaimRules;
import dev.refrain.internal.claim.ClaimVerdict;
import dev.refrain.internal.claim.FingerprintedCall;
import dev.refrain.internal.key.StorableText;
import dev.refrain.internal.replay.WaiterRegistry;
import dev.refrain.observe.RefrainEvent;
import dev.refrain.observe.RefrainListener;
import dev.refrain.store.OutcomeFormat;
import dev.refrain.store.RecordState;
import dev.refrain.store.RecordWrite;
import dev.refrain.store.RecordWriteResponse;
import dev.refrain.store.RowRejectedException;
import dev.refrain.store.StoreException;
import dev.refrain.store.StoredRecord;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Records the end of a run. The outcome is stored before anyone gets a result, with retries for as long as the lease lives. A
 * runner that lost its claim returns the stored outcome, never a result of its own.
 */
final class OutcomeRecorder {

    /** Minimum timeout: even an expired lease gets one try, because the outcome is accepted if nobody took the claim over. */
    private static final Duration LEAST_PATIENCE = Duration.ofSeconds(1);

    private static final Duration PAUSE = Duration.ofMillis(100);

    private final BatchedStoreClient storeClient;
    private final WaiterRegistry waiters;
    private final ExecutionEnvironment environment;
    private final RefrainListener listener;

    OutcomeRecorder(
            BatchedStoreClient storeClient,
            WaiterRegistry waiters,
            ExecutionEnvironment environment,
            RefrainListener listener) {
        this.storeClient = storeClient;
        this.waiters = waiters;
        this.environment = environment;
        this.listener = listener;
    }

    OperationResult complete(RunSettings settings, FingerprintedCall ask, RunningClaim claim, Outcome.Answer answer) {
        return switch (save(settings, ask, claim, answer)) {
            case RecordWriteResponse.Written written -> new OperationResult.Ran(answer);
            case RecordWriteResponse.Failed failed -> throw failed.failure();
            case RecordWriteResponse.Refused refused -> replayWinner(settings, ask, claim, refused.current());
        };
    }

    /** Stores the work's exception as the outcome. Returns the stored outcome of another claim, if there is one. */
    Optional<OperationResult> keepFailure(
            RunSettings settings, FingerprintedCall ask, RunningClaim claim, Throwable failure) {
        return switch (save(settings, ask, claim, StoredFailure.toAnswer(failure))) {
            case RecordWriteResponse.Written written -> Optional.empty();
            case RecordWriteResponse.Failed failed -> throw failed.failure();
            case RecordWriteResponse.Refused refused -> refused.current().flatMap(record -> replay(ask, record));
        };
    }

    /**
     * Releases the claim. If the store is unreachable, the lease expires and the next caller settles the record. Returns the
     * outcome of another claim that took this one over and completed it, if there is one.
     */
    Optional<OperationResult> release(RunSettings settings, FingerprintedCall ask, RunningClaim claim, String reason) {
        return release(settings, ask, claim, Duration.ZERO, reason);
    }

    /**
     * Releases the claim for a later retry.
     *
     * @param pause minimum delay before a completer polls it
     * @param reason shown with the attempt; contains nothing of the request or of the work's own messages
     */
    Optional<OperationResult> release(
            RunSettings settings, FingerprintedCall ask, RunningClaim claim, Duration pause, String reason) {
        RecordWriteResponse released;
        try {
            released = write(ask, claim, new RecordWrite.Release(claim.ref(), pause, StorableText.replaced(reason)));
        } catch (StoreException stillAway) {
            // The batcher has reported it.
            return Optional.empty();
        }
        return switch (released) {
            case RecordWriteResponse.Written written -> {
                listener.onEvent(new RefrainEvent.Released(settings.operation(), claim.recordId(), claim.ran()));
                waiters.wakeOne(claim.ref().lookup());
                yield Optional.empty();
            }
            case RecordWriteResponse.Failed failed -> throw failed.failure();
            case RecordWriteResponse.Refused refused -> {
                fencedOut(settings, claim);
                yield refused.current().flatMap(record -> replay(ask, record));
            }
        };
    }

    /** Reports that the work itself completed the record, and wakes local waiters. */
    OperationResult reportCompletion(RunSettings settings, RunningClaim claim, Outcome.Answer answer) {
        completed(settings, claim, claim.settledWith());
        return new OperationResult.Ran(answer);
    }

    /** Moves the record to attention. Returns the stored outcome of another claim, if there is one. */
    Optional<OperationResult> escalate(RunSettings settings, FingerprintedCall ask, RunningClaim claim, String why) {
        return switch (write(ask, claim, new RecordWrite.Escalate(claim.ref(), StorableText.replaced(why)))) {
            case RecordWriteResponse.Written written -> {
                listener.onEvent(new RefrainEvent.OutcomeUnknown(settings.operation(), claim.recordId()));
                waiters.wakeOne(claim.ref().lookup());
                yield Optional.of(new OperationResult.Attention(claim.ref()));
            }
            case RecordWriteResponse.Failed failed -> throw failed.failure();
            case RecordWriteResponse.Refused refused -> {
                fencedOut(settings, claim);
                yield refused.current().flatMap(record -> replay(ask, record));
            }
        };
    }

    private void completed(RunSettings settings, RunningClaim claim, Optional<Payload> outcome) {
        listener.onEvent(new RefrainEvent.Completed(settings.operation(), claim.recordId(), claim.ran()));
        waiters.wakeAll(claim.record().asCompleted(outcome.orElse(null)));
    }

    private RecordWriteResponse save(
            RunSettings settings, FingerprintedCall ask, RunningClaim claim, Outcome.Answer answer) {
        var outcome = toStoredOutcome(settings, claim, answer);
        RecordWriteResponse saved;
        try {
            try {
                saved = write(ask, claim, completion(settings, claim, outcome));
            } catch (RowRejectedException unstorable) {
                if (unstorable.isTransient()) {
                    // Only locked: the outcome can be stored later, and "not stored" would be final.
                    throw unstorable;
                }
                notKept(settings, claim, "The store cannot hold it.");
                outcome = StoredFailure.withoutMessage(answer).map(OutcomeFormat::encode);
                saved = write(ask, claim, completion(settings, claim, outcome));
            }
        } catch (StoreException e) {
            throw outcomeUnknown(settings, claim, "the store is unreachable.", e);
        }
        switch (saved) {
            case RecordWriteResponse.Written written -> completed(settings, claim, outcome);
            case RecordWriteResponse.Failed failed -> throw failed.failure();
            case RecordWriteResponse.Refused refused -> fencedOut(settings, claim);
        }
        return saved;
    }

    private static RecordWrite completion(RunSettings settings, RunningClaim claim, Optional<Payload> outcome) {
        return new RecordWrite.Complete(claim.ref(), outcome, settings.keeping().retention(claim));
    }

    /**
     * Writes until the store answers or the lease expires: the renewed lease if the store is unreachable, the original one if it
     * rejects the write. A rejection may be temporary too, as on a read-only standby, but is not worth the whole run time.
     */
    private RecordWriteResponse write(FingerprintedCall ask, RunningClaim claim, RecordWrite write) {
        long refusedUntil = environment.nanoTime() + claim.leaseLeft().toNanos();
        while (true) {
            var left = claim.leaseLeft();
            try {
                return storeClient.write(
                        ask.identity().scope(), write, left.compareTo(LEAST_PATIENCE) > 0 ? left : LEAST_PATIENCE);
            } catch (StoreException e) {
                boolean neverStorable = e instanceof RowRejectedException && !e.isTransient();
                boolean over =
                        e.isTransient() ? !claim.leaseLeft().isPositive() : refusedUntil - environment.nanoTime() <= 0;
                if (neverStorable || over) {
                    throw e;
                }
                environment.sleep(PAUSE);
            }
        }
    }

    private void fencedOut(RunSettings settings, RunningClaim claim) {
        claim.fencedOut();
        listener.onEvent(new RefrainEvent.FencedOut(settings.operation(), claim.recordId(), claim.fence()));
    }

    /** Waits a bounded time for the claim that took this one over, and returns its outcome. */
    OperationResult replayWinner(
            RunSettings settings, FingerprintedCall ask, RunningClaim claim, Optional<StoredRecord> current) {
        var settled = current.filter(r -> r.state() != RecordState.IN_PROGRESS && r.state() != RecordState.RELEASED);
        if (settled.isEmpty() && current.isPresent()) {
            long deadline = environment.nanoTime() + settings.leasing().lease().toNanos();
            switch (waiters.await(ask, deadline)) {
                case WaiterRegistry.Settled now -> settled = Optional.of(now.record());
                // This caller has already run, and leaves the turn to one that has not.
                case WaiterRegistry.ClaimAgain turn -> waiters.wakeOne(ask.lookup());
                default -> {}
            }
        }
        return settled.flatMap(record -> replay(ask, record))
                .orElseThrow(() -> outcomeUnknown(settings, claim, "another caller took the claim over.", null));
    }

    private static Optional<OperationResult> replay(FingerprintedCall ask, StoredRecord record) {
        return ClaimRules.verdict(ask, record)
                .filter(result -> result instanceof ClaimVerdict.Replay)
                .map(ClaimVerdict.Replay.class::cast)
                .map(replay -> new OperationResult.Replayed(replay.record().id(), replay.outcome(), false));
    }

    /** Returns the stored form of an answer; only the state if it is too large, which never releases the key. */
    Optional<Payload> toStoredOutcome(RunSettings settings, RunningClaim claim, Outcome.Answer answer) {
        var state = StoredFailure.withoutMessage(answer).map(OutcomeFormat::encode);
        if (settings.keeping().form() == OutcomePolicy.StoredDetail.STATE_ONLY) {
            return state;
        }
        if (claim.whyStateOnly().isPresent()) {
            notKept(settings, claim, claim.whyStateOnly().get());
            return state;
        }
        int most = settings.keeping().maxBytes();
        // Checked first: even copying the body may need too much memory.
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

    /** Reports that the record is at this recovery point now. */
    void reportCheckpoint(RunSettings settings, RunningClaim claim, RecoveryPoint reached) {
        listener.onEvent(new RefrainEvent.CheckpointCommitted(
                settings.operation(), claim.recordId(), reached.name(), reached.callMayBeSent()));
    }

    private void notKept(RunSettings settings, RunningClaim claim, String reason) {
        listener.onEvent(new RefrainEvent.OutcomeNotKept(settings.operation(), claim.recordId(), reason));
    }

    OutcomeUnknownException outcomeUnknown(
            RunSettings settings, RunningClaim claim, String found, @Nullable Throwable cause) {
        listener.onEvent(new RefrainEvent.OutcomeUnknown(settings.operation(), claim.recordId()));
        return new OutcomeUnknownException(settings.operation(), claim.recordId(), found, cause);
    }
}
