package dev.refrain.flow;

import java.time.Duration;

/**
 * How flows are finished without their callers.
 *
 * @param interval how often abandoned flows are looked for
 * @param gracePeriod how long after its lease a flow is left to a retry of its caller
 * @param firstBackoff until the second attempt; twice as long before each further one, up to an hour
 * @param maxAttempts after so many a person has to look
 * @param maxConcurrent how many are being finished at a time, so that some that hang leave room for the others
 */
public record CompleterSettings(
        Duration interval, Duration gracePeriod, Duration firstBackoff, int maxAttempts, int maxConcurrent) {

    public static final CompleterSettings DEFAULT =
            new CompleterSettings(Duration.ofSeconds(15), Duration.ofSeconds(60), Duration.ofSeconds(15), 10, 16);

    public CompleterSettings {
        if (!interval.isPositive()
                || gracePeriod.isNegative()
                || !firstBackoff.isPositive()
                || maxAttempts < 1
                || maxConcurrent < 1) {
            throw new IllegalArgumentException(
                    "completer.every, .pause, .attempts and .at-once must be more than 0 and .grace not negative, but are "
                            + interval + ", " + firstBackoff + ", " + maxAttempts + ", " + maxConcurrent + " and "
                            + gracePeriod + ".");
        }
    }
}
