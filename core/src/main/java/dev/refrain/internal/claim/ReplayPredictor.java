package dev.refrain.internal.claim;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * Predicts from the latest calls of transactional operations whether the next one is a replay. Looking for its outcome first then saves a
 * transaction. A wrong prediction costs a read and never changes an answer. Thread-safe.
 */
final class ReplayPredictor {

    /** Replays among the latest 32 calls from which looking first pays. */
    private static final int ENOUGH = 8;

    /** The latest calls, a bit each, the latest last; set for a replay. */
    private final AtomicInteger latest = new AtomicInteger();

    boolean areLikely() {
        return Integer.bitCount(latest.get()) >= ENOUGH;
    }

    void observe(boolean replay) {
        int before = latest.get();
        int after = before << 1 | (replay ? 1 : 0);
        if (before != after) {
            latest.set(after);
        }
    }
}
