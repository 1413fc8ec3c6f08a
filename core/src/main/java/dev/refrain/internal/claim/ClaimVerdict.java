package dev.refrain.internal.claim;

import dev.refrain.api.ClaimRef;
import dev.refrain.api.Outcome;
import dev.refrain.api.RecordId;
import dev.refrain.store.StoredRecord;
import java.util.Optional;

/** Verdict on a claim. */
public sealed interface ClaimVerdict {

    /** The work runs, from the record's recovery point. */
    record Acquired(StoredRecord record) implements ClaimVerdict {}

    /** The operation is completed with this outcome. */
    record Replay(StoredRecord record, Outcome outcome) implements ClaimVerdict {}

    /** Another caller is running it; its record is visible unless it runs in an uncommitted transaction. */
    record InProgress(Optional<StoredRecord> record) implements ClaimVerdict {}

    /** The key was used for a different request, which neither runs nor replays. */
    record Mismatch(RecordId id) implements ClaimVerdict {}

    /** It is unknown whether the operation took effect; the record needs attention. */
    record Attention(ClaimRef claim) implements ClaimVerdict {}
}
