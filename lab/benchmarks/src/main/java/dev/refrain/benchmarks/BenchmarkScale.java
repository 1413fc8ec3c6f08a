package dev.refrain.benchmarks;

import java.time.Duration;

/**
 * Sizes and durations of a run.
 *
 *
 * @param pairs how often the two sides take turns
 * @param slice what is counted of each turn
 * @param lead what runs before that in each turn
 * @param warmUp one turn of each side before anything is counted; so many of them as it takes until the compiler is idle
 * @param mostWarmUps however busy it still is
 * @param manyKeys in the large table of {@code growth}
 * @param fewKeys in its small one, and how many are replayed
 * @param expiredKeys to be reaped
 * @param waiters parked on one key
 * @param abandoned flows to be finished without their callers
 */
record BenchmarkScale(
        int pairs,
        Duration slice,
        Duration lead,
        Duration warmUp,
        int mostWarmUps,
        int manyKeys,
        int fewKeys,
        int expiredKeys,
        int waiters,
        int abandoned) {

    static final BenchmarkScale FULL = new BenchmarkScale(
            20,
            Duration.ofMillis(1500),
            Duration.ofMillis(200),
            Duration.ofSeconds(2),
            20,
            5_000_000,
            10_000,
            1_000_000,
            10_000,
            10_000);

    /** Scale of a quick run: full sizes, less time. */
    static final BenchmarkScale QUICK = new BenchmarkScale(
            6,
            Duration.ofMillis(300),
            Duration.ofMillis(100),
            Duration.ofMillis(750),
            12,
            FULL.manyKeys,
            FULL.fewKeys,
            FULL.expiredKeys,
            FULL.waiters,
            FULL.abandoned);

    /** Number of pairs from which a median can be judged. */
    private static final int JUDGED_PAIRS = 20;

    /** Returns true if a run of this scale reports figures that are not to be judged. */
    boolean isQuick() {
        return pairs < JUDGED_PAIRS;
    }
}
