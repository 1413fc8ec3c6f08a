package dev.refrain.flow;

import dev.refrain.api.DurationText;
import java.time.Duration;
import java.util.function.Predicate;

/**
 * Retries of a failing phase or call within one run.
 *
 * @param maxAttempts the number of attempts in all; a run that takes over starts counting again
 * @param firstBackoff the pause before the second attempt, doubled for each further one, up to 30 s
 * @param isPermanent whether an exception says that nothing happened and never will, so that no retry is made
 */
public record PhaseRetryPolicy(int maxAttempts, Duration firstBackoff, Predicate<Exception> isPermanent) {

    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(30);
    private static final int DOUBLINGS = 20;

    public PhaseRetryPolicy {
        if (maxAttempts < 1 || firstBackoff.isNegative()) {
            throw new IllegalArgumentException(
                    "Invalid retry policy: maxAttempts must be at least 1, but is " + maxAttempts
                            + ", and firstBackoff must not be negative, but is " + DurationText.of(firstBackoff) + ".");
        }
    }

    /** Returns a policy that retries after every exception. */
    public static PhaseRetryPolicy of(int maxAttempts, Duration firstBackoff) {
        return new PhaseRetryPolicy(maxAttempts, firstBackoff, thrown -> false);
    }

    /** Returns the same policy without retries after exceptions which say that nothing happened and never will. */
    public PhaseRetryPolicy noRetryOn(Predicate<Exception> permanent) {
        return new PhaseRetryPolicy(maxAttempts, firstBackoff, permanent);
    }

    Duration backoffAfter(int made) {
        var grown = firstBackoff.multipliedBy(1L << Math.min(made - 1, DOUBLINGS));
        return grown.compareTo(LONGEST_PAUSE) < 0 ? grown : LONGEST_PAUSE;
    }
}
