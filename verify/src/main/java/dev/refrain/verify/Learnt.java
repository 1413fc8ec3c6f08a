package dev.refrain.verify;

import java.time.Duration;
import java.time.temporal.ChronoUnit;

/** What the first cases found out and later ones rely on. Used by one thread. */
final class Learnt {

    private Duration shortest = ChronoUnit.FOREVER.getDuration();
    private boolean tellsApart;
    private boolean marksReplays;

    /** How long the work takes at least. */
    Duration shortest() {
        return shortest;
    }

    /** The first one is slow for reasons of its own, such as a connection that is opened. */
    void worked(Duration time) {
        shortest = time.compareTo(shortest) < 0 ? time : shortest;
    }

    /** Whether two effects of the same request can be told apart by their answers. */
    boolean tellsApart() {
        return tellsApart;
    }

    void answersTellApart() {
        tellsApart = true;
    }

    /** Whether a replay says that it is one. */
    boolean marksReplays() {
        return marksReplays;
    }

    void replaysAreMarked() {
        marksReplays = true;
    }
}
