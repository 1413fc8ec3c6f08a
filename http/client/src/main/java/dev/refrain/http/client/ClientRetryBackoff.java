package dev.refrain.http.client;

import java.time.Duration;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * How long to wait before another attempt: any time between nothing and a ceiling, all equally likely, so that clients that
 * failed together do not come back together. The ceiling doubles with each attempt.
 *
 * @param first the ceiling after the first attempt
 * @param most no ceiling is above this
 */
public record ClientRetryBackoff(Duration first, Duration most) {

    public static final ClientRetryBackoff DEFAULT =
            new ClientRetryBackoff(Duration.ofMillis(200), Duration.ofSeconds(10));

    public ClientRetryBackoff {
        if (first.isNegative() || most.compareTo(first) < 0) {
            throw new IllegalArgumentException(
                    "backoff.first must not be negative and backoff.most not less, but they are " + first + " and "
                            + most + ".");
        }
    }

    /**
     * @param attempts how many were made; at least 1
     * @param asked what the server asked for, which is the least, and is spread by a little chance as well
     */
    Duration delay(int attempts, Optional<Duration> asked, RandomGenerator random) {
        var own = upTo(ceiling(attempts), random);
        return asked.map(least -> least.plus(upTo(first, random)))
                .filter(least -> least.compareTo(own) > 0)
                .orElse(own);
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
