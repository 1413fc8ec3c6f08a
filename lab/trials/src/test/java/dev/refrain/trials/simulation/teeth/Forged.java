package dev.refrain.trials.simulation.teeth;

import dev.refrain.fingerprint.Fingerprint;
import dev.refrain.key.Lookup;
import dev.refrain.store.ClaimRef;
import dev.refrain.store.StoredRecord;
import dev.refrain.store.Write;
import java.time.Duration;
import java.util.Optional;

/** Records and writes that say something else than they did. */
final class Forged {

    private Forged() {}

    static StoredRecord fence(StoredRecord r, long fence) {
        return made(r, r.lookup(), fence, r.fingerprint(), r.remainingLife());
    }

    static StoredRecord fingerprint(StoredRecord r, Fingerprint fingerprint) {
        return made(r, r.lookup(), r.fence(), Optional.of(fingerprint), r.remainingLife());
    }

    static StoredRecord life(StoredRecord r, Optional<Duration> life) {
        return made(r, r.lookup(), r.fence(), r.fingerprint(), life);
    }

    static StoredRecord lookup(StoredRecord r, Lookup lookup) {
        return made(r, lookup, r.fence(), r.fingerprint(), r.remainingLife());
    }

    static Write claim(Write write, ClaimRef claim) {
        return switch (write) {
            case Write.Complete w -> new Write.Complete(claim, w.outcome(), w.retention());
            case Write.Release w -> new Write.Release(claim);
            case Write.Escalate w -> new Write.Escalate(claim, w.reason());
            case Write.Checkpoint w -> new Write.Checkpoint(claim, w.recoveryPoint(), w.carried(), w.lease());
            case Write.Renew w -> new Write.Renew(claim, w.lease());
        };
    }

    private static StoredRecord made(
            StoredRecord r, Lookup lookup, long fence, Optional<Fingerprint> fingerprint, Optional<Duration> life) {
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
