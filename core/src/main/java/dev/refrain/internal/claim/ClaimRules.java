package dev.refrain.internal.claim;

import dev.refrain.api.Outcome;
import dev.refrain.store.OutcomeFormat;
import dev.refrain.store.StoredRecord;
import java.util.Optional;

/** Decides what a record means for a request. The order of the checks is the protocol: first, whether it is the same request. */
public final class ClaimRules {

    private ClaimRules() {}

    /** Returns the verdict; empty if the record is claimable and the store should be asked again. */
    public static Optional<ClaimVerdict> verdict(FingerprintedCall ask, StoredRecord record) {
        boolean other = record.fingerprint().filter(f -> !ask.matches(f)).isPresent();
        if (other) {
            return Optional.of(new ClaimVerdict.Mismatch(record.id()));
        }
        return switch (record.state()) {
            case COMPLETED -> Optional.of(new ClaimVerdict.Replay(record, storedOutcome(record)));
            case ATTENTION -> Optional.of(new ClaimVerdict.Attention(record.claim()));
            case RELEASED -> Optional.empty();
            case IN_PROGRESS ->
                record.isLeaseExpired()
                        ? Optional.empty()
                        : Optional.of(new ClaimVerdict.InProgress(Optional.of(record)));
        };
    }

    /** Returns the outcome of a completed record. */
    private static Outcome storedOutcome(StoredRecord completed) {
        return completed.outcome().<Outcome>map(OutcomeFormat::decode).orElseGet(Outcome.StateOnly::new);
    }
}
