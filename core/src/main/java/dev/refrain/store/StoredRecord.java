package dev.refrain.store;

import dev.refrain.api.ClaimRef;
import dev.refrain.api.KeyHash;
import dev.refrain.api.LeaseExpiryPolicy;
import dev.refrain.api.Payload;
import dev.refrain.api.RecordId;
import dev.refrain.api.RecoveryPoint;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Record as the store saw it at the moment of the statement. Immutable.
 *
 * <p>Times are remaining durations by the store's clock, never points in time: no application clock takes part, unless the store has
 * none ({@link StoreClock#NONE}).
 *
 * @param fence of the current or last claim
 * @param owner nonce of the current or last claim
 * @param fingerprint empty once the record was erased, with nothing left to compare
 * @param recoveryPoint last committed phase, and whether its foreign call may have been sent; empty if there is none
 * @param remainingLease zero or negative once the lease has expired; meaningful only in {@link RecordState#IN_PROGRESS}. An
 *     upper bound where the store has no clock
 * @param remainingLife time until it expires, zero or negative once that has passed, which takes effect only if it {@link
 *     #isSettled}; empty if it never expires. Of one that is not settled, less by as much as the store's clock was set back since its first
 *     claim, because ages are measured by it
 * @param outcome present only in {@link RecordState#COMPLETED}, and absent there if only the state was stored
 * @param request as stored with the first claim; dropped when the record completes
 * @param carried the state that the last checkpoint passed to the next phase; dropped when the record completes
 */
public record StoredRecord(
        KeyHash lookup,
        RecordId id,
        long fence,
        UUID owner,
        RecordState state,
        LeaseExpiryPolicy takeOver,
        Optional<Fingerprint> fingerprint,
        Optional<RecoveryPoint> recoveryPoint,
        Duration remainingLease,
        Optional<Duration> remainingLife,
        Optional<Payload> outcome,
        Optional<Payload> request,
        Optional<Payload> carried) {

    /** Returns the current claim of this record. */
    public ClaimRef claim() {
        return new ClaimRef(lookup, id, fence);
    }

    public boolean isLeaseExpired() {
        return !remainingLease.isPositive();
    }

    /** Returns true if an equal request may claim it, as far as this view shows. */
    public boolean isClaimable() {
        return state == RecordState.RELEASED
                || (state == RecordState.IN_PROGRESS && takeOver == LeaseExpiryPolicy.RESUME && isLeaseExpired());
    }

    /**
     * Returns true if nobody will continue it. A record released between two phases of a flow is half done: it is continued,
     * however long that takes.
     */
    public boolean isSettled() {
        return state == RecordState.COMPLETED || (state == RecordState.RELEASED && recoveryPoint.isEmpty());
    }

    /**
     * Returns true if it has expired and its key is a new request: only settled records expire; unfinished work is never
     * forgotten.
     */
    public boolean isExpired() {
        return isSettled() && remainingLife.filter(left -> !left.isPositive()).isPresent();
    }

    /**
     * Returns this record as it is after its completion.
     *
     * @param newOutcome null if only its state is kept
     */
    public StoredRecord asCompleted(@Nullable Payload newOutcome) {
        return new StoredRecord(
                lookup,
                id,
                fence,
                owner,
                RecordState.COMPLETED,
                takeOver,
                fingerprint,
                recoveryPoint,
                remainingLease,
                remainingLife,
                Optional.ofNullable(newOutcome),
                Optional.empty(),
                Optional.empty());
    }

    /** Returns this record with other payloads, or without those that are null, for stores that wrap another, such as encryption. */
    public StoredRecord withPayloads(
            @Nullable Payload newOutcome, @Nullable Payload newRequest, @Nullable Payload newCarried) {
        return new StoredRecord(
                lookup,
                id,
                fence,
                owner,
                state,
                takeOver,
                fingerprint,
                recoveryPoint,
                remainingLease,
                remainingLife,
                Optional.ofNullable(newOutcome),
                Optional.ofNullable(newRequest),
                Optional.ofNullable(newCarried));
    }
}
