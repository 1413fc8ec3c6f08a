package dev.refrain.flow;

import java.time.Duration;
import java.util.function.Predicate;

/**
 * How often something that fails is tried in one run, and what is not worth a second try.
 *
 * @param times how often in all; a run that is taken over begins to count anew
 * @param pause before the second try; twice as long before each further one, up to half a minute
 * @param forGood whether what was thrown says that it did not happen and never will
 */
public record Tries(int times, Duration pause, Predicate<Exception> forGood) {

    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(30);
    private static final int DOUBLINGS = 20;

    public Tries {
        if (times < 1 || pause.isNegative()) {
            throw new IllegalArgumentException(
                    "Something is tried at least once, after a pause that is not negative, not " + times
                            + " times after " + pause + ".");
        }
    }

    public static Tries of(int times, Duration pause) {
        return new Tries(times, pause, thrown -> false);
    }

    /** The same, but one try is enough if what was thrown is of that kind: it did not happen, and never will. */
    public Tries unless(Predicate<Exception> certain) {
        return new Tries(times, pause, certain);
    }

    Duration pauseAfter(int made) {
        var grown = pause.multipliedBy(1L << Math.min(made - 1, DOUBLINGS));
        return grown.compareTo(LONGEST_PAUSE) < 0 ? grown : LONGEST_PAUSE;
    }
}
