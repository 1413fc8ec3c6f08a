package dev.refrain.verify;

import java.time.Duration;
import java.time.temporal.ChronoUnit;

/** Facts that the first cases observe and later cases rely on. Confined to one thread. */
final class ApiObservations {

    private Duration shortestWorkTime = ChronoUnit.FOREVER.getDuration();
    private boolean effectsAreDistinguishable;
    private boolean marksReplays;

    /** Shortest time that the work took so far. */
    Duration shortestWorkTime() {
        return shortestWorkTime;
    }

    /** Records one measurement. The first one is often slow, because it opens a connection. */
    void recordWorkTime(Duration time) {
        shortestWorkTime = time.compareTo(shortestWorkTime) < 0 ? time : shortestWorkTime;
    }

    /** Returns whether two effects of the same request have different responses. */
    boolean effectsAreDistinguishable() {
        return effectsAreDistinguishable;
    }

    void answersTellApart() {
        effectsAreDistinguishable = true;
    }

    /** Returns whether the API marks replays. */
    boolean marksReplays() {
        return marksReplays;
    }

    void replaysAreMarked() {
        marksReplays = true;
    }
}
