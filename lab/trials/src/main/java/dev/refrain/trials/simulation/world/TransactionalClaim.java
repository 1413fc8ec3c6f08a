package dev.refrain.trials.simulation.world;

import dev.refrain.api.RecordId;
import dev.refrain.store.ClaimRequest;
import dev.refrain.store.ClaimResponse;
import dev.refrain.store.RecordState;
import dev.refrain.store.StoredRecord;
import java.util.List;
import java.util.Optional;

/** Claim of a key inside a transaction, which is visible to others only once that commits. */
record TransactionalClaim(SimulatedDatabase database, LockHoldingTransaction holder, ClaimRequest asked) {

    ClaimResponse attempt() {
        if (!database.lock(asked.lookup(), holder)) {
            return new ClaimResponse.LockedByTransaction();
        }
        var there = there();
        return isFree(there)
                ? new ClaimResponse.Acquired(acquired(there))
                : new ClaimResponse.Found(there.orElseThrow());
    }

    /** Returns the record if it is no longer as it was when it was claimed. */
    boolean isAsItWas(StoredRecord acquired) {
        var there = there();
        return isFree(there) && acquired(there).claim().equals(acquired.claim());
    }

    Optional<StoredRecord> there() {
        return database.store().find(List.of(asked.identity())).getFirst();
    }

    private boolean isFree(Optional<StoredRecord> there) {
        return there.map(r -> r.isClaimable()
                        && r.fingerprint().map(asked.fingerprint()::equals).orElse(true))
                .orElse(true);
    }

    private StoredRecord acquired(Optional<StoredRecord> there) {
        return new StoredRecord(
                asked.lookup(),
                there.map(StoredRecord::id).orElse(new RecordId(asked.nonce())),
                there.map(r -> r.fence() + 1).orElse(1L),
                asked.nonce(),
                RecordState.IN_PROGRESS,
                asked.leaseExpiryPolicy(),
                Optional.of(asked.fingerprint()),
                there.flatMap(StoredRecord::recoveryPoint),
                asked.lease(),
                there.isPresent()
                        ? there.get().remainingLife()
                        : asked.retention().duration(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty());
    }
}
