package dev.refrain.internal.run;

import dev.refrain.api.DurationText;
import java.time.Duration;

/** Handling of a retry while the first call is still running. */
public sealed interface ConcurrentRetryPolicy {

    /** Rejects it at once as in progress. */
    record Reject() implements ConcurrentRetryPolicy {}

    /** Waits for the outcome up to the limit. */
    record WaitForOutcome(Duration limit) implements ConcurrentRetryPolicy {
        public WaitForOutcome {
            if (limit.isNegative()) {
                throw new IllegalArgumentException(
                        "in-flight.wait must not be negative, but is " + DurationText.of(limit) + ".");
            }
        }
    }
}
