package dev.refrain.store.jdbc.internal.record;

import dev.refrain.api.LeaseExpiryPolicy;
import dev.refrain.store.ClaimRequest;
import dev.refrain.store.RecordState;
import dev.refrain.store.StoredRecord;

/** What a claim may do with the record it found; {@link dev.refrain.store.Store#claim} in code. */
public enum ClaimDecision {
    /** Already the asker's: an earlier reply was lost. */
    OWN,
    /** Over: to be made anew. */
    REPLACE,
    /** Free: to be continued under the same id. */
    TAKE,
    /** Abandoned, and not to be run again blindly. */
    HOLD,
    /** To be left as it is. */
    LEAVE;

    public static ClaimDecision decide(StoredRecord record, ClaimRequest request) {
        if (record.isExpired()) {
            return REPLACE;
        }
        boolean running = record.state() == RecordState.IN_PROGRESS;
        if (record.owner().equals(request.nonce())) {
            // A nonce never claims a second time: a duplicate that comes late would make a claim that nobody runs.
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
     * An erased record has nothing left to compare with; it may be run again only if nobody runs it and it is not done.
     */
    private static boolean alike(StoredRecord record, ClaimRequest request) {
        return record.fingerprint().map(request.fingerprint()::matches).orElse(record.state() == RecordState.RELEASED);
    }
}
