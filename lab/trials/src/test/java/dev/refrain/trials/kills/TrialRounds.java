package dev.refrain.trials.kills;

import java.time.Duration;

/** Duration and number of rounds: one in a normal build, and in the long profile as many as configured. */
final class TrialRounds {

    private static final Duration LONG_ROUND = Duration.ofSeconds(60);

    /** Round on a database of its own. */
    interface Round {
        TrialTally run(Duration length, long seed) throws Exception;
    }

    private TrialRounds() {}

    /**
     * Runs rounds; {@code -Plong -Drefrain.kills.minutes=30} sets their duration. A seed repeats the schedule of the kills, not the moments
     * they hit.
     */
    static void run(Duration usual, Round round) throws Exception {
        boolean isLong = Boolean.getBoolean("tests.long");
        long end = System.nanoTime()
                + Duration.ofMinutes(isLong ? Long.getLong("refrain.kills.minutes", 10L) : 0)
                        .toNanos();
        long seed = Long.getLong("refrain.kills.seed", System.nanoTime() & 0xFFFFFF);
        do {
            var tally = round.run(isLong ? LONG_ROUND : usual, seed);
            System.out.println(tally.table());
            tally.requireEnough();
            seed++;
        } while (System.nanoTime() - end < 0);
    }
}
