package dev.refrain.internal.run;

import java.time.Duration;

/** What a retry gets while the first one still runs. */
public sealed interface ConcurrentRetryPolicy {

    /** Told at once that it is in progress. */
    record Reject() implements ConcurrentRetryPolicy {}

    /** Waits for the outcome, at most so long. */
    record WaitForOutcome(Duration limit) implements ConcurrentRetryPolicy {
        public WaitForOutcome {
            if (limit.isNegative()) {
                throw new IllegalArgumentException("in-flight.wait must not be negative, but is " + limit + ".");
            }
        }
    }
}
