package dev.refrain.http;

import dev.refrain.api.DurationText;
import java.time.Duration;

/** Response to a retry that arrives while the first request is still running. */
public sealed interface InFlightPolicy {

    Duration WAIT = Duration.ofSeconds(10);

    /** Responds with 409 and {@code Retry-After}. */
    record Reject() implements InFlightPolicy {
        @Override
        public String toString() {
            return "reject";
        }
    }

    /** Waits for the outcome up to the limit, then responds with 409. */
    record Wait(Duration limit) implements InFlightPolicy {
        public Wait {
            if (!limit.isPositive()) {
                throw new IllegalArgumentException(
                        "in-flight: wait must be positive, but is " + DurationText.of(limit) + ".");
            }
        }

        @Override
        public String toString() {
            return "wait up to " + limit.toMillis() / 1000.0 + " s";
        }
    }

    /** Responds with 202 and the URL of the key's status. */
    record Async() implements InFlightPolicy {
        @Override
        public String toString() {
            return "async";
        }
    }
}
