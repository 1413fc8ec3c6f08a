package dev.refrain.api;

import java.time.Duration;

/** Durations in messages and log lines, as people write them: {@code 24 h}, {@code 30 s}, {@code 250 ms}. */
public final class DurationText {

    private DurationText() {}

    /** Returns the duration in the largest unit of which it is a whole number. */
    public static String of(Duration duration) {
        if (duration.toNanosPart() % 1_000_000 != 0) {
            return duration.toNanos() + " ns";
        }
        if (duration.toNanosPart() != 0) {
            return duration.toMillis() + " ms";
        }
        long seconds = duration.toSeconds();
        if (seconds == 0 || seconds % 60 != 0) {
            return seconds + " s";
        }
        return seconds % 3_600 == 0 ? seconds / 3_600 + " h" : seconds / 60 + " min";
    }
}
