package dev.refrain.store.jdbc;

import dev.refrain.key.RecordId;
import dev.refrain.store.ClaimRequest;
import dev.refrain.store.State;
import dev.refrain.store.StoredRecord;
import java.util.Optional;

/** Records as a claim leaves them, known without reading them back. */
final class Unwritten {

    private static final long FIRST_FENCE = 1;

    private Unwritten() {}

    static StoredRecord newRecord(ClaimRequest request) {
        return new StoredRecord(
                request.lookup(),
                new RecordId(request.nonce()),
                FIRST_FENCE,
                request.nonce(),
                State.IN_PROGRESS,
                request.leaseExpiryPolicy(),
                Optional.of(request.fingerprint()),
                Optional.empty(),
                request.lease(),
                request.retention().duration(),
                Optional.empty(),
                request.request(),
                Optional.empty());
    }

    static StoredRecord takenOverRecord(ClaimRequest request, StoredRecord before) {
        return new StoredRecord(
                before.lookup(),
                before.id(),
                before.fence() + 1,
                request.nonce(),
                State.IN_PROGRESS,
                request.leaseExpiryPolicy(),
                Optional.of(request.fingerprint()),
                before.recoveryPoint(),
                request.lease(),
                before.remainingLife(),
                Optional.empty(),
                before.request().or(request::request),
                before.carried());
    }
}
