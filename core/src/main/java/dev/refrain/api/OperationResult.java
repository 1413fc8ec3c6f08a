package dev.refrain.api;

import java.time.Duration;

/** How a call of an operation ended, for whoever translates it to an answer. */
public sealed interface OperationResult {

    /** The work ran now, and this is its answer. */
    record Ran(Outcome.Answer answer) implements OperationResult {}

    /** It was done before (or by someone faster); this is the stored outcome. */
    record Replayed(RecordId id, Outcome outcome) implements OperationResult {}

    /** Someone runs it now. */
    record InProgress(Duration retryAfter) implements OperationResult {}

    /** The key belongs to another request, whose record this is. Nothing ran and nothing was replayed. */
    record Mismatch(RecordId id) implements OperationResult {}

    /** The outcome under this key is unknown; the named claim waits for a decision. Nothing ran. */
    record Attention(ClaimRef claim) implements OperationResult {}
}
