package dev.refrain.internal.claim;

import dev.refrain.api.Outcome;
import dev.refrain.store.OutcomeFormat;
import dev.refrain.store.StoredRecord;
import java.util.Optional;

/** Says what a record means to a request. The order of the questions is the protocol: first of all, is it the same request? */
public final class ClaimRules {

    private ClaimRules() {}

    /** The answer, or empty if the record is there to be claimed and the store should be asked again. */
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

    /** What a completed record keeps. */
    private static Outcome storedOutcome(StoredRecord completed) {
        return completed.outcome().<Outcome>map(OutcomeFormat::decode).orElseGet(Outcome.StateOnly::new);
    }
}
