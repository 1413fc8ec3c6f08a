package dev.refrain.store;

import java.time.Duration;

/**
 * How abandoned work is looked for.
 *
 * @param namespace only work of this one: others are for those who know how to do it
 * @param gracePeriod how long after its lease it is left to a retry of its caller
 * @param firstBackoff until the second attempt; twice as long before each further one, up to an hour
 * @param maxAttempts so many are made; after the last one a person has to look
 * @param limit how many records are looked at
 */
public record AbandonedRecordPoll(
        String namespace, Duration gracePeriod, Duration firstBackoff, int maxAttempts, int limit) {

    /** Pauses do not grow beyond this. */
    public static final Duration LONGEST_PAUSE = Duration.ofHours(1);

    /** Doubled at most so often, which is enough to reach the longest pause from any that is worth a name. */
    private static final int DOUBLINGS = 20;

    public AbandonedRecordPoll {
        if (gracePeriod.isNegative() || !firstBackoff.isPositive() || maxAttempts < 1 || limit < 1) {
            throw new IllegalArgumentException(
                    "grace must not be negative, and pause, attempts and limit must be more than 0: " + gracePeriod
                            + ", " + firstBackoff + ", " + maxAttempts + ", " + limit + ".");
        }
    }

    /** How long to wait after so many attempts. */
    public Duration backoffAfter(int made) {
        var grown = firstBackoff.multipliedBy(1L << Math.clamp(made - 1, 0, DOUBLINGS));
        return grown.compareTo(LONGEST_PAUSE) < 0 ? grown : LONGEST_PAUSE;
    }
}
