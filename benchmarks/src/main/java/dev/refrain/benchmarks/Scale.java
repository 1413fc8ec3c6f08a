package dev.refrain.benchmarks;

import java.time.Duration;

/**
 * How much is measured, for how long.
 *
 * @param pairs how often the two sides take turns
 * @param slice what is counted of each turn
 * @param lead what runs before that in each turn
 * @param warmUp what each side runs before the first turn, and before the first case
 * @param mostTurns of warming up, however busy the compiler still is
 * @param manyKeys in the large table of {@code growth}
 * @param fewKeys in its small one, and how many are replayed
 * @param expiredKeys to be reaped
 * @param waiters parked on one key
 * @param abandoned flows to be finished without their callers
 */
record Scale(
        int pairs,
        Duration slice,
        Duration lead,
        Duration warmUp,
        int mostTurns,
        int manyKeys,
        int fewKeys,
        int expiredKeys,
        int waiters,
        int abandoned) {

    static final Scale FULL = new Scale(
            20,
            Duration.ofMillis(1500),
            Duration.ofMillis(200),
            Duration.ofSeconds(4),
            20,
            5_000_000,
            10_000,
            1_000_000,
            10_000,
            10_000);

    /** All sizes as they are; less time. */
    static final Scale QUICK = new Scale(
            4,
            Duration.ofMillis(500),
            Duration.ofMillis(100),
            Duration.ofMillis(1500),
            8,
            FULL.manyKeys,
            FULL.fewKeys,
            FULL.expiredKeys,
            FULL.waiters,
            FULL.abandoned);
}
