package dev.refrain.api;

import dev.refrain.internal.claim.ClaimVerdict;
import java.time.Duration;

/** How a call of an operation ended, for whoever translates it to an answer. */
public sealed interface OperationResult {

    /** The work ran now, and this is its answer. */
    record Ran(Outcome.Answer answer) implements OperationResult {}

    /**
     * It was done before (or by someone faster); this is the stored outcome.
     *
     * @param waited whether the call waited for whoever was running it
     */
    record Replayed(RecordId id, Outcome outcome, boolean waited) implements OperationResult {}

    /** Someone runs it now. */
    record InProgress(Duration retryAfter) implements OperationResult {}

    /** The key belongs to another request, or the outcome is unknown: see which. */
    record Refused(ClaimVerdict why) implements OperationResult {}
}
