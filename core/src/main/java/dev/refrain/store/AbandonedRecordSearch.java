package dev.refrain.store;

import dev.refrain.api.DurationText;
import java.time.Duration;

/**
 * Parameters of a search for abandoned records. Immutable.
 *
 * @param namespace namespace of the records, since each completer knows only its own flows
 * @param gracePeriod how long after its lease a record is left to a retry by its caller
 * @param firstBackoff delay before the second attempt; doubles with each further one, up to an hour
 * @param maxAttempts number of attempts after which a record moves to attention
 * @param limit how many records are examined
 */
public record AbandonedRecordSearch(
        String namespace, Duration gracePeriod, Duration firstBackoff, int maxAttempts, int limit) {

    /** Upper limit of the backoff. */
    public static final Duration LONGEST_PAUSE = Duration.ofHours(1);

    /** Maximum number of doublings, enough to reach the longest backoff from any sensible first one. */
    private static final int DOUBLINGS = 20;

    public AbandonedRecordSearch {
        if (gracePeriod.isNegative() || !firstBackoff.isPositive() || maxAttempts < 1 || limit < 1) {
            throw new IllegalArgumentException(
                    "grace must not be negative, and pause, attempts and limit must be positive, but are "
                            + DurationText.of(gracePeriod) + ", " + DurationText.of(firstBackoff) + ", " + maxAttempts
                            + ", " + limit + ".");
        }
    }

    /** Returns the delay after this number of attempts. */
    public Duration backoffAfter(int made) {
        var grown = firstBackoff.multipliedBy(1L << Math.clamp(made - 1, 0, DOUBLINGS));
        return grown.compareTo(LONGEST_PAUSE) < 0 ? grown : LONGEST_PAUSE;
    }
}
