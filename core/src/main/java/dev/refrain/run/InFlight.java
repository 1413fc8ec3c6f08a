package dev.refrain.run;

import java.time.Duration;

/** What a retry gets while the first one still runs. */
public sealed interface InFlight {

    /** Told at once that it is in progress. */
    record Reject() implements InFlight {}

    /** Waits for the outcome, at most so long. */
    record Wait(Duration limit) implements InFlight {
        public Wait {
            if (limit.isNegative()) {
                throw new IllegalArgumentException("in-flight.wait must not be negative, but is " + limit + ".");
            }
        }
    }
}
