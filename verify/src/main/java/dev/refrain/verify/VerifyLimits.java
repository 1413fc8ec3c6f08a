package dev.refrain.verify;

import java.time.Duration;

/**
 * How much may be sent.
 *
 * @param concurrency how many requests at once, where a case is about that
 * @param requests how many to the route in all
 * @param timeout for one answer
 */
public record VerifyLimits(int concurrency, int requests, Duration timeout) {

    public static final VerifyLimits STANDARD = new VerifyLimits(10, 500, Duration.ofSeconds(10));

    private static final int MOST_AT_ONCE = 100;

    public VerifyLimits {
        if (concurrency < 2 || concurrency > MOST_AT_ONCE) {
            throw new InvalidVerifySettingsException(
                    "At once go 2 to " + MOST_AT_ONCE + " requests, not " + concurrency + ": this is no load test.");
        }
        if (timeout.isNegative() || timeout.isZero()) {
            throw new InvalidVerifySettingsException("The timeout must be longer than nothing.");
        }
    }
}
