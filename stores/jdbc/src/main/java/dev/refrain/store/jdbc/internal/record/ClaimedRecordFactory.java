package dev.refrain.store.jdbc.internal.record;

import dev.refrain.api.RecordId;
import dev.refrain.store.ClaimRequest;
import dev.refrain.store.RecordState;
import dev.refrain.store.StoredRecord;
import java.util.Optional;

/** Creates records as a claim leaves them, without reading them back. */
public final class ClaimedRecordFactory {

    private static final long FIRST_FENCE = 1;

    private ClaimedRecordFactory() {}

    public static StoredRecord newRecord(ClaimRequest request) {
        return new StoredRecord(
                request.lookup(),
                new RecordId(request.nonce()),
                FIRST_FENCE,
                request.nonce(),
                RecordState.IN_PROGRESS,
                request.leaseExpiryPolicy(),
                Optional.of(request.fingerprint()),
                Optional.empty(),
                request.lease(),
                request.retention().duration(),
                Optional.empty(),
                request.request(),
                Optional.empty());
    }

    public static StoredRecord takenOverRecord(ClaimRequest request, StoredRecord before) {
        return new StoredRecord(
                before.lookup(),
                before.id(),
                before.fence() + 1,
                request.nonce(),
                RecordState.IN_PROGRESS,
                request.leaseExpiryPolicy(),
                Optional.of(request.fingerprint()),
                before.recoveryPoint(),
                request.lease(),
                before.remainingLife(),
                Optional.empty(),
                before.request().or(request::request),
                before.carried());
    }

    /**
     * Returns true if a record that was taken over need not be read again. A flow may have committed a checkpoint between the read and the change;
     * and what is left of the life of a released record grows shorter where the clock was set back, now that it is in progress.
     */
    static boolean isKnownAfterTakeover(StoredRecord before) {
        boolean isFlow = before.recoveryPoint().isPresent()
                || before.request().isPresent()
                || before.carried().isPresent();
        return !isFlow && before.state() != RecordState.RELEASED;
    }
}
