package dev.refrain.store;

import dev.refrain.api.ClaimRef;
import dev.refrain.api.KeyHash;
import dev.refrain.api.LeaseExpiryPolicy;
import dev.refrain.api.Payload;
import dev.refrain.api.RecordId;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;

/**
 * A record as the store saw it at the moment of the statement.
 *
 * <p>Times are what is left on the store's clock, never a point in time: no application clock takes part.
 *
 * @param fence of the current or last claim
 * @param owner nonce of the current or last claim
 * @param fingerprint empty once the record was erased: then nothing is left to compare with
 * @param recoveryPoint name of the last committed phase; empty for a record that has none. With {@link #MAY_HAVE_SENT} behind it, what
 *     belongs to it may have been sent to another system
 * @param remainingLease zero or less when the lease is over; means something only in {@link RecordState#IN_PROGRESS}
 * @param remainingLife time until it expires, or zero or less since it would have if it were {@link #isSettled}; empty for ever
 * @param outcome present only in {@link RecordState#COMPLETED}, and there absent if only the state was kept
 * @param request as stored with the first claim; dropped when the record completes
 * @param carried what the last checkpoint left for the next phase; dropped when the record completes
 */
public record StoredRecord(
        KeyHash lookup,
        RecordId id,
        long fence,
        UUID owner,
        RecordState state,
        LeaseExpiryPolicy takeOver,
        Optional<Fingerprint> fingerprint,
        Optional<String> recoveryPoint,
        Duration remainingLease,
        Optional<Duration> remainingLife,
        Optional<Payload> outcome,
        Optional<Payload> request,
        Optional<Payload> carried) {

    /** Behind a recovery point. Whoever decides that the record may run again takes it away: then nothing was sent. */
    public static final String MAY_HAVE_SENT = "!";

    /** Names the current claim of this record. */
    public ClaimRef claim() {
        return new ClaimRef(lookup, id, fence);
    }

    public boolean isLeaseExpired() {
        return !remainingLease.isPositive();
    }

    /** Whether a like request may claim it, as far as can be seen. */
    public boolean isClaimable() {
        return state == RecordState.RELEASED
                || (state == RecordState.IN_PROGRESS && takeOver == LeaseExpiryPolicy.RESUME && isLeaseExpired());
    }

    /**
     * Whether nobody is going to continue it. One that was released between two phases of a flow is half done: it is continued, however
     * long that takes.
     */
    public boolean isSettled() {
        return state == RecordState.COMPLETED || (state == RecordState.RELEASED && recoveryPoint.isEmpty());
    }

    /** Whether it is over, and its key a new request: only what is settled expires; unfinished work is never forgotten. */
    public boolean isExpired() {
        return isSettled() && remainingLife.filter(left -> !left.isPositive()).isPresent();
    }

    /** The same record as it is once its claim was completed. */
    public StoredRecord asCompleted(Optional<Payload> newOutcome) {
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
                newOutcome,
                Optional.empty(),
                Optional.empty());
    }

    /** The same record with its payloads changed: for stores that wrap another, such as encryption. */
    public StoredRecord withPayloads(
            Optional<Payload> newOutcome, Optional<Payload> newRequest, Optional<Payload> newCarried) {
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
                newOutcome,
                newRequest,
                newCarried);
    }
}
