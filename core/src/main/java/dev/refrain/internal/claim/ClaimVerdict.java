package dev.refrain.internal.claim;

import dev.refrain.api.ClaimRef;
import dev.refrain.api.Outcome;
import dev.refrain.api.RecordId;
import dev.refrain.store.StoredRecord;
import java.util.Optional;

/** Exactly one of these answers a claim. */
public sealed interface ClaimVerdict {

    /** Run, from the record's recovery point. */
    record Acquired(StoredRecord record) implements ClaimVerdict {}

    /** It is done, and this is its outcome. */
    record Replay(StoredRecord record, Outcome outcome) implements ClaimVerdict {}

    /** Someone runs it now; who and for how long can be seen unless it runs in an uncommitted transaction. */
    record InProgress(Optional<StoredRecord> record) implements ClaimVerdict {}

    /** The key was used for a different request: never run, never replayed. */
    record Mismatch(RecordId id) implements ClaimVerdict {}

    /** Whether it took effect is unknown; it waits for a decision. */
    record Attention(ClaimRef claim) implements ClaimVerdict {}
}
