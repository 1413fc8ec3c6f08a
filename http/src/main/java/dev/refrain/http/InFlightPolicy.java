package dev.refrain.http;

import java.time.Duration;

/** What a retry is answered while the first one still runs. */
public sealed interface InFlightPolicy {

    Duration WAIT = Duration.ofSeconds(10);

    /** 409 and when to come back. */
    record Reject() implements InFlightPolicy {
        @Override
        public String toString() {
            return "reject";
        }
    }

    /** Waits for the outcome, at most so long; then 409. */
    record Wait(Duration limit) implements InFlightPolicy {
        public Wait {
            if (!limit.isPositive()) {
                throw new IllegalArgumentException("in-flight.wait must be more than 0, but is " + limit + ".");
            }
        }

        @Override
        public String toString() {
            return "wait up to " + limit.toMillis() / 1000.0 + " s";
        }
    }

    /** 202 and where to look. */
    record Async() implements InFlightPolicy {
        @Override
        public String toString() {
            return "async";
        }
    }
}
