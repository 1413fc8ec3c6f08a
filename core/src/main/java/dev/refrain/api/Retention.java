package dev.refrain.api;

import java.time.Duration;
import java.util.Optional;

/**
 * Time for which a record is kept, counted from its first claim. After that the same key is a new request.
 *
 * <p>A completed outcome is kept at least {@link #AFTER_COMPLETION}, however short the retention.
 */
public record Retention(Optional<Duration> duration) {

    /** Minimum time for which an outcome stays after its completion, so that a client can fetch what it missed. */
    public static final Duration AFTER_COMPLETION = Duration.ofHours(1);

    /** Never expires and is never reaped, for ledgers. */
    public static final Retention FOREVER = new Retention(Optional.empty());

    private static final Duration LONGEST = Duration.ofDays(3660);

    public Retention {
        duration.ifPresent(t -> {
            if (t.isNegative() || t.isZero() || t.compareTo(LONGEST) > 0) {
                throw new IllegalArgumentException("retention must be more than 0 and at most " + LONGEST.toDays()
                        + " days, or for ever, but is " + DurationText.of(t) + ".");
            }
        });
    }

    public static Retention of(Duration time) {
        return new Retention(Optional.of(time));
    }

    /** Returns the longer of the two. */
    public Retention longerOf(Retention other) {
        return other.duration.isPresent() && !isShorterThan(other.duration.get()) ? this : other;
    }

    public boolean isShorterThan(Duration other) {
        return duration.isPresent() && duration.get().compareTo(other) < 0;
    }
}
