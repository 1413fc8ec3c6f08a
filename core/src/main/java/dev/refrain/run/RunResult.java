package dev.refrain.run;

import dev.refrain.claim.ClaimResult;
import dev.refrain.key.RecordId;
import dev.refrain.outcome.Outcome;
import java.time.Duration;

/** How a call of an operation ended, for whoever translates it to an answer. */
public sealed interface RunResult {

    /** The work ran now, and this is its answer. */
    record Ran(Outcome.Answer answer) implements RunResult {}

    /** It was done before (or by someone faster); this is the stored outcome. */
    record Replayed(RecordId id, Outcome outcome) implements RunResult {}

    /** Someone runs it now. */
    record StillRunning(Duration retryAfter) implements RunResult {}

    /** The key belongs to another request, or the outcome is unknown: see which. */
    record Refused(ClaimResult why) implements RunResult {}
}
