package dev.refrain.flow;

import dev.refrain.api.DurationText;
import java.time.Duration;

/**
 * Settings of a {@link Completer}.
 *
 * @param interval how often to poll for abandoned flows; 15 s by default
 * @param gracePeriod how long after its lease a flow is left to a retry of its caller; 60 s by default
 * @param firstBackoff the pause before the second attempt, doubled for each further one, up to an hour; 15 s by default
 * @param maxAttempts the number of attempts after which the record needs attention; 10 by default
 * @param maxConcurrent how many flows are finished at a time, so that hanging ones do not block the others; 16 by default
 */
public record CompleterSettings(
        Duration interval, Duration gracePeriod, Duration firstBackoff, int maxAttempts, int maxConcurrent) {

    /** The protocol's defaults. */
    public static final CompleterSettings DEFAULT =
            new CompleterSettings(Duration.ofSeconds(15), Duration.ofSeconds(60), Duration.ofSeconds(15), 10, 16);

    public CompleterSettings {
        if (!interval.isPositive()
                || gracePeriod.isNegative()
                || !firstBackoff.isPositive()
                || maxAttempts < 1
                || maxConcurrent < 1) {
            throw new IllegalArgumentException("Invalid completer settings: interval (" + DurationText.of(interval)
                    + "), firstBackoff (" + DurationText.of(firstBackoff)
                    + "), maxAttempts (" + maxAttempts + ") and maxConcurrent (" + maxConcurrent
                    + ") must be positive, and gracePeriod (" + DurationText.of(gracePeriod)
                    + ") must not be negative.");
        }
    }
}
