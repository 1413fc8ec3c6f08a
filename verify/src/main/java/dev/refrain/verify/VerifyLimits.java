package dev.refrain.verify;

import java.time.Duration;

/**
 * Limits on the requests of a run. Immutable.
 *
 * @param concurrency the number of parallel requests in the concurrency cases
 * @param requests the maximum number of requests to the route
 * @param timeout the time to wait for one response
 */
public record VerifyLimits(int concurrency, int requests, Duration timeout) {

    public static final VerifyLimits STANDARD = new VerifyLimits(10, 500, Duration.ofSeconds(10));

    private static final int MAX_CONCURRENCY = 100;

    public VerifyLimits {
        if (concurrency < 2 || concurrency > MAX_CONCURRENCY) {
            throw new InvalidVerifySettingsException("Concurrency must be between 2 and " + MAX_CONCURRENCY
                    + ", but was " + concurrency + ". This is not a load test.");
        }
        if (timeout.isNegative() || timeout.isZero()) {
            throw new InvalidVerifySettingsException("The timeout must be positive.");
        }
    }
}
