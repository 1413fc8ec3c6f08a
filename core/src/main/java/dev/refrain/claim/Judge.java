package dev.refrain.claim;

import dev.refrain.outcome.Outcome;
import dev.refrain.outcome.OutcomeFormat;
import dev.refrain.store.StoredRecord;
import java.util.Optional;

/** Says what a record means to a request. The order of the questions is the protocol: first of all, is it the same request? */
public final class Judge {

    private Judge() {}

    /** The answer, or empty if the record is there to be claimed and the store should be asked again. */
    public static Optional<ClaimResult> verdict(Ask ask, StoredRecord record) {
        boolean other = record.fingerprint().filter(f -> !ask.matches(f)).isPresent();
        if (other) {
            return Optional.of(new ClaimResult.Mismatch(record.id()));
        }
        return switch (record.state()) {
            case COMPLETED -> Optional.of(new ClaimResult.Replay(record, goes(record)));
            case ATTENTION -> Optional.of(new ClaimResult.Attention(record.claim()));
            case RELEASED -> Optional.empty();
            case IN_PROGRESS ->
                record.isLeaseExpired() ? Optional.empty() : Optional.of(new ClaimResult.InProgress(Optional.of(record)));
        };
    }

    /** What a completed record keeps. */
    public static Outcome goes(StoredRecord completed) {
        return completed.outcome().<Outcome>map(OutcomeFormat::decode).orElseGet(Outcome.StateOnly::new);
    }
}
