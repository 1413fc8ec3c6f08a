package dev.refrain.api;

import java.time.Duration;

/** Result of a call of an operation, for edges that map it to a response. */
public sealed interface OperationResult {

    /** The work ran now and gave this answer. */
    record Ran(Outcome.Answer answer) implements OperationResult {}

    /**
     * The operation was completed before, or by a faster caller; this is the stored outcome.
     *
     * @param waited whether the call waited for the running one
     */
    record Replayed(RecordId id, Outcome outcome, boolean waited) implements OperationResult {}

    /** Another caller is running the operation now. */
    record InProgress(Duration retryAfter) implements OperationResult {}

    /** The key belongs to another request, with this record. Nothing ran and nothing was replayed. */
    record Mismatch(RecordId id) implements OperationResult {}

    /** The outcome under this key is unknown; this claim has to be resolved. Nothing ran. */
    record Attention(ClaimRef claim) implements OperationResult {}
}
