package dev.refrain.claim;

import dev.refrain.key.RecordId;
import dev.refrain.outcome.Outcome;
import dev.refrain.store.ClaimRef;
import dev.refrain.store.StoredRecord;
import java.util.Optional;

/** Exactly one of these answers a claim. */
public sealed interface ClaimResult {

    /** Run, from the record's recovery point. */
    record Acquired(StoredRecord record) implements ClaimResult {}

    /** It is done, and this is its outcome. */
    record Replay(StoredRecord record, Outcome outcome) implements ClaimResult {}

    /** Someone runs it now; who and for how long can be seen unless it runs in an uncommitted transaction. */
    record InProgress(Optional<StoredRecord> record) implements ClaimResult {}

    /** The key was used for a different request: never run, never replayed. */
    record Mismatch(RecordId id) implements ClaimResult {}

    /** Whether it took effect is unknown; it waits for a decision. */
    record Attention(ClaimRef claim) implements ClaimResult {}
}
