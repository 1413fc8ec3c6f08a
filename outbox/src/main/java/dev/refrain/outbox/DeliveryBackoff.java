package dev.refrain.outbox;

import dev.refrain.api.ExecutionEnvironment;
import java.time.Duration;

/**
 * How long a message waits before it is tried again: twice as long each time, and a random part of a half less, so that what failed
 * together does not come back together.
 */
public record DeliveryBackoff(Duration first, Duration max) {

    public static final DeliveryBackoff STANDARD = new DeliveryBackoff(Duration.ofSeconds(1), Duration.ofHours(1));

    private static final int MOST_DOUBLINGS = 30;

    public DeliveryBackoff {
        if (first.isNegative() || max.compareTo(first) < 0) {
            throw new IllegalArgumentException(
                    "A pause grows from first to longest, which " + first + " and " + max + " do not allow.");
        }
    }

    /** @param failures how often it failed, this time included */
    Duration after(int failures, ExecutionEnvironment environment) {
        double whole = Math.min(
                (double) max.toNanos(),
                first.toNanos() * Math.pow(2, Math.min(Math.max(0, failures - 1), MOST_DOUBLINGS)));
        return Duration.ofNanos((long) (whole * (1 - 0.5 * random(environment))));
    }

    /** From 0 to 1. The end of a nonce is random. */
    static double random(ExecutionEnvironment environment) {
        return (environment.newNonce().getLeastSignificantBits() & 0xFFFF_FFFFL) / (double) (1L << 32);
    }
}
