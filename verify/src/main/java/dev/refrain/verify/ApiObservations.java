package dev.refrain.verify;

import java.time.Duration;
import java.time.temporal.ChronoUnit;

/** What the first cases found out and later ones rely on. Used by one thread. */
final class ApiObservations {

    private Duration shortestWorkTime = ChronoUnit.FOREVER.getDuration();
    private boolean effectsAreDistinguishable;
    private boolean marksReplays;

    /** How long the work takes at least. */
    Duration shortestWorkTime() {
        return shortestWorkTime;
    }

    /** The first one is slow for reasons of its own, such as a connection that is opened. */
    void recordWorkTime(Duration time) {
        shortestWorkTime = time.compareTo(shortestWorkTime) < 0 ? time : shortestWorkTime;
    }

    /** Whether two effects of the same request can be told apart by their answers. */
    boolean effectsAreDistinguishable() {
        return effectsAreDistinguishable;
    }

    void answersTellApart() {
        effectsAreDistinguishable = true;
    }

    /** Whether a replay says that it is one. */
    boolean marksReplays() {
        return marksReplays;
    }

    void replaysAreMarked() {
        marksReplays = true;
    }
}
