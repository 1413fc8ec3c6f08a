package dev.refrain.outbox;

import dev.refrain.api.DurationText;
import dev.refrain.api.ExecutionEnvironment;
import java.time.Duration;

/**
 * Pause between the attempts of a message: doubled each time, and shortened at random by up to a half, so that messages that failed
 * together are not retried together.
 *
 * @param first the pause before the second attempt
 * @param max the longest pause
 */
public record DeliveryBackoff(Duration first, Duration max) {

    /** Pauses from 1 s to 1 h. */
    public static final DeliveryBackoff STANDARD = new DeliveryBackoff(Duration.ofSeconds(1), Duration.ofHours(1));

    private static final int MOST_DOUBLINGS = 30;

    public DeliveryBackoff {
        if (first.isNegative() || max.compareTo(first) < 0) {
            throw new IllegalArgumentException("Invalid backoff: first (" + DurationText.of(first)
                    + ") must not be negative, and max (" + DurationText.of(max) + ") must not be shorter than first.");
        }
    }

    /** Returns the pause after so many failures, the latest included. */
    Duration after(int failures, ExecutionEnvironment environment) {
        double whole = Math.min(
                (double) max.toNanos(),
                first.toNanos() * Math.pow(2, Math.min(Math.max(0, failures - 1), MOST_DOUBLINGS)));
        return Duration.ofNanos((long) (whole * (1 - 0.5 * random(environment))));
    }

    /** Returns a random number from 0 to 1. */
    static double random(ExecutionEnvironment environment) {
        return (environment.newNonce().getLeastSignificantBits() & 0xFFFF_FFFFL) / (double) (1L << 32);
    }
}
