package dev.refrain.flow;

import java.time.Duration;
import java.util.function.Predicate;

/**
 * How often something that fails is tried in one run, and what is not worth a second try.
 *
 * @param maxAttempts how often in all; a run that is taken over begins to count anew
 * @param firstBackoff before the second try; twice as long before each further one, up to half a minute
 * @param isPermanent whether what was thrown says that it did not happen and never will
 */
public record PhaseRetryPolicy(int maxAttempts, Duration firstBackoff, Predicate<Exception> isPermanent) {

    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(30);
    private static final int DOUBLINGS = 20;

    public PhaseRetryPolicy {
        if (maxAttempts < 1 || firstBackoff.isNegative()) {
            throw new IllegalArgumentException(
                    "Something is tried at least once, after a pause that is not negative, not " + maxAttempts
                            + " times after " + firstBackoff + ".");
        }
    }

    public static PhaseRetryPolicy of(int times, Duration pause) {
        return new PhaseRetryPolicy(times, pause, thrown -> false);
    }

    /** The same, but one try is enough if what was thrown is of that kind: it did not happen, and never will. */
    public PhaseRetryPolicy noRetryOn(Predicate<Exception> certain) {
        return new PhaseRetryPolicy(maxAttempts, firstBackoff, certain);
    }

    Duration backoffAfter(int made) {
        var grown = firstBackoff.multipliedBy(1L << Math.min(made - 1, DOUBLINGS));
        return grown.compareTo(LONGEST_PAUSE) < 0 ? grown : LONGEST_PAUSE;
    }
}
