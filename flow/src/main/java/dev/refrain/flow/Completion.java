package dev.refrain.flow;

import java.time.Duration;

/**
 * How flows are finished without their callers.
 *
 * @param every how often abandoned flows are looked for
 * @param grace how long after its lease a flow is left to a retry of its caller
 * @param pause until the second attempt; twice as long before each further one, up to an hour
 * @param attempts after so many a person has to look
 * @param atOnce how many are being finished at a time, so that some that hang leave room for the others
 */
public record Completion(Duration every, Duration grace, Duration pause, int attempts, int atOnce) {

    public static final Completion DEFAULT =
            new Completion(Duration.ofSeconds(15), Duration.ofSeconds(60), Duration.ofSeconds(15), 10, 16);

    public Completion {
        if (!every.isPositive() || grace.isNegative() || !pause.isPositive() || attempts < 1 || atOnce < 1) {
            throw new IllegalArgumentException(
                    "completer.every, .pause, .attempts and .at-once must be more than 0 and .grace not negative, but are "
                            + every + ", " + pause + ", " + attempts + ", " + atOnce + " and " + grace + ".");
        }
    }
}
