package dev.refrain.internal.run;

import dev.refrain.api.ExecutionEnvironment;
import dev.refrain.api.OperationResult;
import dev.refrain.api.Outcome;
import dev.refrain.api.OutcomeUnknownException;
import dev.refrain.api.Payload;
import dev.refrain.api.StoredFailure;
import dev.refrain.internal.batch.BatchedStoreClient;
import dev.refrain.internal.claim.ClaimRules;
import dev.refrain.internal.claim.ClaimVerdict;
import dev.refrain.internal.claim.FingerprintedCall;
import dev.refrain.internal.replay.WaiterRegistry;
import dev.refrain.observe.RefrainEvent;
import dev.refrain.observe.RefrainListener;
import dev.refrain.store.OutcomeFormat;
import dev.refrain.store.RecordState;
import dev.refrain.store.RecordWrite;
import dev.refrain.store.RowRejectedException;
import dev.refrain.store.StoreException;
import dev.refrain.store.StoredRecord;
import dev.refrain.store.WriteResponse;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What follows the work: the outcome is stored before anyone is answered, for as long as the lease lives if need be. A
 * runner that lost its claim answers with what is stored, never with a result of its own.
 */
final class OutcomeRecorder {

    /** Even a lease that is over gets one try: if nobody took it over, the outcome is still taken. */
    private static final Duration LEAST_PATIENCE = Duration.ofSeconds(1);

    private static final Duration PAUSE = Duration.ofMillis(100);

    private final BatchedStoreClient lanes;
    private final WaiterRegistry waiters;
    private final ExecutionEnvironment environment;
    private final RefrainListener listener;

    OutcomeRecorder(
            BatchedStoreClient lanes,
            WaiterRegistry waiters,
            ExecutionEnvironment environment,
            RefrainListener listener) {
        this.lanes = lanes;
        this.waiters = waiters;
        this.environment = environment;
        this.listener = listener;
    }

    OperationResult complete(RunSettings settings, FingerprintedCall ask, RunningClaim claim, Outcome.Answer answer) {
        return switch (save(settings, claim, answer)) {
            case WriteResponse.Written written -> new OperationResult.Ran(answer);
            case WriteResponse.Failed failed -> throw failed.failure();
            case WriteResponse.Refused refused -> replayWinner(settings, ask, claim, refused.current());
        };
    }

    /** Keeps what the work threw as the outcome. Gives the outcome that stands instead, if there is one. */
    Optional<OperationResult> keepFailure(
            RunSettings settings, FingerprintedCall ask, RunningClaim claim, Throwable failure) {
        return switch (save(settings, claim, StoredFailure.toAnswer(failure))) {
            case WriteResponse.Written written -> Optional.empty();
            case WriteResponse.Failed failed -> throw failed.failure();
            case WriteResponse.Refused refused -> refused.current().flatMap(record -> replay(ask, record));
        };
    }

    /**
     * Gives the claim back. If that cannot be told to the store, the lease runs out and the record is settled by whoever comes
     * next. Gives the outcome that stands instead, if someone else took the claim over and completed it.
     */
    Optional<OperationResult> release(RunSettings settings, FingerprintedCall ask, RunningClaim claim) {
        return release(settings, ask, claim, Duration.ZERO);
    }

    /** @param pause for so long nobody takes it up without its caller */
    Optional<OperationResult> release(RunSettings settings, FingerprintedCall ask, RunningClaim claim, Duration pause) {
        WriteResponse released;
        try {
            released = write(claim, new RecordWrite.Release(claim.ref(), pause));
        } catch (StoreException stillAway) {
            // Reported by the lane.
            return Optional.empty();
        }
        return switch (released) {
            case WriteResponse.Written written -> {
                listener.onEvent(new RefrainEvent.Released(settings.operation(), claim.recordId(), claim.ran()));
                waiters.wakeOne(claim.ref().lookup());
                yield Optional.empty();
            }
            case WriteResponse.Failed failed -> throw failed.failure();
            case WriteResponse.Refused refused -> {
                fencedOut(settings, claim);
                yield refused.current().flatMap(record -> replay(ask, record));
            }
        };
    }

    /** The work itself has completed the record; those who wait here for it are told. */
    OperationResult reportCompletion(RunSettings settings, RunningClaim claim, Outcome.Answer answer) {
        completed(settings, claim, claim.settledWith());
        return new OperationResult.Ran(answer);
    }

    /** Leaves it to a person, a rule or the reconciler. Gives the outcome that stands instead, if there is one. */
    Optional<OperationResult> escalate(RunSettings settings, FingerprintedCall ask, RunningClaim claim, String why) {
        return switch (write(claim, new RecordWrite.Escalate(claim.ref(), why))) {
            case WriteResponse.Written written -> {
                listener.onEvent(new RefrainEvent.OutcomeUnknown(settings.operation(), claim.recordId()));
                waiters.wakeOne(claim.ref().lookup());
                yield Optional.of(new OperationResult.Attention(claim.ref()));
            }
            case WriteResponse.Failed failed -> throw failed.failure();
            case WriteResponse.Refused refused -> {
                fencedOut(settings, claim);
                yield refused.current().flatMap(record -> replay(ask, record));
            }
        };
    }

    private void completed(RunSettings settings, RunningClaim claim, Optional<Payload> outcome) {
        listener.onEvent(new RefrainEvent.Completed(settings.operation(), claim.recordId(), claim.ran()));
        waiters.wakeAll(claim.record().asCompleted(outcome));
    }

    private WriteResponse save(RunSettings settings, RunningClaim claim, Outcome.Answer answer) {
        var outcome = toStoredOutcome(settings, claim, answer);
        WriteResponse saved;
        try {
            try {
                saved = write(claim, completion(settings, claim, outcome));
            } catch (RowRejectedException unstorable) {
                if (unstorable.isTransient()) {
                    // Only locked: it could be kept, and what is said of it now must be true for ever.
                    throw unstorable;
                }
                notKept(settings, claim, "The store cannot hold it.");
                outcome = StoredFailure.withoutMessage(answer).map(OutcomeFormat::encode);
                saved = write(claim, completion(settings, claim, outcome));
            }
        } catch (StoreException e) {
            throw outcomeUnknown(settings, claim, "the store could not be told.", e);
        }
        switch (saved) {
            case WriteResponse.Written written -> completed(settings, claim, outcome);
            case WriteResponse.Failed failed -> throw failed.failure();
            case WriteResponse.Refused refused -> fencedOut(settings, claim);
        }
        return saved;
    }

    private static RecordWrite completion(RunSettings settings, RunningClaim claim, Optional<Payload> outcome) {
        return new RecordWrite.Complete(claim.ref(), outcome, settings.keeping().retention(claim));
    }

    /**
     * Asks until it is answered or the lease is over: renewed meanwhile or not if the store is away, and as it was at first if
     * the store says no. That can pass too, as a read-only standby does, but it is not worth the whole running time.
     */
    private WriteResponse write(RunningClaim claim, RecordWrite write) {
        long refusedUntil = environment.nanoTime() + claim.leaseLeft().toNanos();
        while (true) {
            var left = claim.leaseLeft();
            try {
                return lanes.write(write, left.compareTo(LEAST_PATIENCE) > 0 ? left : LEAST_PATIENCE);
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

    /** The claim was lost: wait for whoever has it, within reason, and answer as they did. */
    OperationResult replayWinner(
            RunSettings settings, FingerprintedCall ask, RunningClaim claim, Optional<StoredRecord> current) {
        var settled = current.filter(r -> r.state() != RecordState.IN_PROGRESS && r.state() != RecordState.RELEASED);
        if (settled.isEmpty() && current.isPresent()) {
            long deadline = environment.nanoTime() + settings.leasing().lease().toNanos();
            switch (waiters.await(ask, deadline)) {
                case WaiterRegistry.Settled now -> settled = Optional.of(now.record());
                // Whoever ran has run already, and leaves the turn to one who has not.
                case WaiterRegistry.ClaimAgain turn -> waiters.wakeOne(ask.lookup());
                default -> {}
            }
        }
        return settled.flatMap(record -> replay(ask, record))
                .orElseThrow(() -> outcomeUnknown(settings, claim, "someone else took the claim over.", null));
    }

    private static Optional<OperationResult> replay(FingerprintedCall ask, StoredRecord record) {
        return ClaimRules.verdict(ask, record)
                .filter(result -> result instanceof ClaimVerdict.Replay)
                .map(ClaimVerdict.Replay.class::cast)
                .map(replay -> new OperationResult.Replayed(replay.record().id(), replay.outcome()));
    }

    /** What is stored of an answer; nothing but the state if it is too large, which never frees the key. */
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
        listener.onEvent(new RefrainEvent.CheckpointCommitted(
                settings.operation(),
                claim.recordId(),
                mayHaveSent ? stored.substring(0, stored.length() - StoredRecord.MAY_HAVE_SENT.length()) : stored,
                mayHaveSent));
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
