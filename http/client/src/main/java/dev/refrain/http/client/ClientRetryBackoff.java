package dev.refrain.http.client;

import java.time.Duration;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * Exponential backoff with full jitter: each delay is random between zero and a ceiling, so that clients that failed
 * together do not retry together. The ceiling doubles with each attempt. Immutable.
 *
 * @param first the ceiling after the first attempt
 * @param most the maximum of the ceiling
 */
public record ClientRetryBackoff(Duration first, Duration most) {

    public static final ClientRetryBackoff DEFAULT =
            new ClientRetryBackoff(Duration.ofMillis(200), Duration.ofSeconds(10));

    public ClientRetryBackoff {
        if (first.isNegative() || most.compareTo(first) < 0) {
            throw new IllegalArgumentException(
                    "Invalid backoff: first must not be negative and most must not be less than first, but they are "
                            + first.toMillis() + " ms and " + most.toMillis() + " ms.");
        }
    }

    /**
     * Returns the delay before the next attempt.
     *
     * @param attempts the number of attempts so far; at least 1
     * @param retryAfter the server's {@code Retry-After}, which is the minimum; some jitter is added to it
     */
    Duration delay(int attempts, Optional<Duration> retryAfter, RandomGenerator random) {
        var jittered = upTo(ceiling(attempts), random);
        return retryAfter
                .map(minimum -> minimum.plus(upTo(first, random)))
                .filter(minimum -> minimum.compareTo(jittered) > 0)
                .orElse(jittered);
    }

    private Duration ceiling(int attempts) {
        var ceiling = first;
        for (int i = 1; i < attempts && ceiling.compareTo(most) < 0; i++) {
            ceiling = ceiling.multipliedBy(2);
        }
        return ceiling.compareTo(most) < 0 ? ceiling : most;
    }

    private static Duration upTo(Duration ceiling, RandomGenerator random) {
        return Duration.ofNanos(random.nextLong(ceiling.toNanos() + 1));
    }
}
