package dev.refrain.store.contract;

import dev.refrain.api.RecordId;
import dev.refrain.api.RecoveryPoint;
import dev.refrain.store.Fingerprint;
import dev.refrain.store.StoredRecord;
import java.time.Duration;
import java.util.Optional;

/** Records shown otherwise than they are. */
final class AlteredRecords {

    private AlteredRecords() {}

    static StoredRecord as(StoredRecord record, RecordId id, long fence) {
        return with(record, id, fence, record.fingerprint(), record.recoveryPoint());
    }

    static StoredRecord withoutRecoveryPoint(StoredRecord record) {
        return with(record, record.id(), record.fence(), record.fingerprint(), Optional.empty());
    }

    static StoredRecord bare(StoredRecord record) {
        return with(record, record.id(), record.fence(), Optional.empty(), record.recoveryPoint())
                .withPayloads(null, null, null);
    }

    static StoredRecord withTimesLeft(StoredRecord record, Duration lease, Optional<Duration> life) {
        return new StoredRecord(
                record.lookup(),
                record.id(),
                record.fence(),
                record.owner(),
                record.state(),
                record.takeOver(),
                record.fingerprint(),
                record.recoveryPoint(),
                lease,
                life,
                record.outcome(),
                record.request(),
                record.carried());
    }

    private static StoredRecord with(
            StoredRecord record,
            RecordId id,
            long fence,
            Optional<Fingerprint> fingerprint,
            Optional<RecoveryPoint> recoveryPoint) {
        return new StoredRecord(
                record.lookup(),
                id,
                fence,
                record.owner(),
                record.state(),
                record.takeOver(),
                fingerprint,
                recoveryPoint,
                record.remainingLease(),
                record.remainingLife(),
                record.outcome(),
                record.request(),
                record.carried());
    }
}
