package dev.refrain.trials.simulation.teeth;

import dev.refrain.api.ClaimRef;
import dev.refrain.api.KeyHash;
import dev.refrain.store.Fingerprint;
import dev.refrain.store.RecordWrite;
import dev.refrain.store.StoredRecord;
import java.time.Duration;
import java.util.Optional;

/** Records and writes with forged fields. */
final class ForgedRecords {

    private ForgedRecords() {}

    static StoredRecord fence(StoredRecord r, long fence) {
        return made(r, r.lookup(), fence, r.fingerprint(), r.remainingLife());
    }

    static StoredRecord fingerprint(StoredRecord r, Fingerprint fingerprint) {
        return made(r, r.lookup(), r.fence(), Optional.of(fingerprint), r.remainingLife());
    }

    static StoredRecord life(StoredRecord r, Optional<Duration> life) {
        return made(r, r.lookup(), r.fence(), r.fingerprint(), life);
    }

    static StoredRecord lookup(StoredRecord r, KeyHash lookup) {
        return made(r, lookup, r.fence(), r.fingerprint(), r.remainingLife());
    }

    static RecordWrite claim(RecordWrite write, ClaimRef claim) {
        return switch (write) {
            case RecordWrite.Complete w -> new RecordWrite.Complete(claim, w.outcome(), w.retention());
            case RecordWrite.Release w -> new RecordWrite.Release(claim, w.retryDelay(), w.reason());
            case RecordWrite.Escalate w -> new RecordWrite.Escalate(claim, w.reason());
            case RecordWrite.Checkpoint w ->
                new RecordWrite.Checkpoint(claim, w.recoveryPoint(), w.carried(), w.lease());
            case RecordWrite.Renew w -> new RecordWrite.Renew(claim, w.lease());
        };
    }

    private static StoredRecord made(
            StoredRecord r, KeyHash lookup, long fence, Optional<Fingerprint> fingerprint, Optional<Duration> life) {
        return new StoredRecord(
                lookup,
                r.id(),
                fence,
                r.owner(),
                r.state(),
                r.takeOver(),
                fingerprint,
                r.recoveryPoint(),
                r.remainingLease(),
                life,
                r.outcome(),
                r.request(),
                r.carried());
    }
}
