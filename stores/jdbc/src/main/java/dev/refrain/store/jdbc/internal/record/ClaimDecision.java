package dev.refrain.store.jdbc.internal.record;

import dev.refrain.api.LeaseExpiryPolicy;
import dev.refrain.store.ClaimRequest;
import dev.refrain.store.RecordState;
import dev.refrain.store.StoredRecord;

/** Decision on a claim, given the record it found: {@link dev.refrain.store.Store#claim} in code. */
public enum ClaimDecision {
    /** The caller already holds it: an earlier reply was lost. */
    OWN,
    /** Expired: created anew. */
    REPLACE,
    /** Free: resumed under the same id. */
    TAKE,
    /** Abandoned, and moved to attention instead of run again. */
    HOLD,
    /** Left as it is. */
    LEAVE;

    public static ClaimDecision decide(StoredRecord record, ClaimRequest request) {
        if (record.isExpired()) {
            return REPLACE;
        }
        boolean running = record.state() == RecordState.IN_PROGRESS;
        if (record.owner().equals(request.nonce())) {
            // A nonce never claims a second time: a late duplicate would create a claim that nobody runs.
            return running && !record.isLeaseExpired() ? OWN : LEAVE;
        }
        if (!alike(record, request)) {
            return LEAVE;
        }
        if (record.isClaimable()) {
            return TAKE;
        }
        return running && record.isLeaseExpired() && record.takeOver() == LeaseExpiryPolicy.HOLD ? HOLD : LEAVE;
    }

    /**
     * Returns true if the request may claim the record. An erased record has no fingerprint to compare with; it may run again
     * only if nobody runs it and it is not done.
     */
    private static boolean alike(StoredRecord record, ClaimRequest request) {
        return record.fingerprint().map(request.fingerprint()::matches).orElse(record.state() == RecordState.RELEASED);
    }
}
