package dev.refrain.internal.batch;
/**
 * Pace of a busy batcher, learned from its latest batches: how long a new request would wait, and how long a batch takes. Optimistic where
 * nothing is known yet: a batch can grow to its limit before it takes longer.
 *
 * <p>One thread at a time learns, under its batcher's lock; any thread may ask how long it would wait.
 */
final class BatchPace {

    /** Weight of the latest batch, as a fraction: an eighth. */
    private static final int LATEST = 8;

    private final int maxRows;
    private volatile long cycleNanos;
    private long batchNanos;
    private volatile long fullRows;
    private boolean wasBusy;
    private long lastEnd;

    BatchPace(int maxRows) {
        this.maxRows = maxRows;
        this.fullRows = maxRows;
    }

    /**
     * Learns from a batch that was answered.
     *
     * @param begun when it was taken from the queue
     * @param more whether more requests were left in the queue when it was taken, so that it was as large as a batch can be
     */
    void learn(long begun, long now, int rows, boolean more) {
        batchNanos = average(batchNanos, now - begun);
        // Between two batches that follow one another also lies the wait for a turn.
        cycleNanos = average(cycleNanos, wasBusy ? now - lastEnd : now - begun);
        if (more) {
            fullRows = Math.max(1, average(fullRows, rows));
        } else {
            fullRows = Math.max(fullRows, Math.min(maxRows, rows));
        }
        wasBusy = more;
        lastEnd = now;
    }

    /** Returns how long a new request waits for its answer if this many are served before it. */
    long expectedWait(int ahead) {
        return (ahead / fullRows + 2) * cycleNanos;
    }

    /** Returns how long a batch takes from being taken to its answer. */
    long batchNanos() {
        return batchNanos;
    }

    private static long average(long before, long latest) {
        return before == 0 ? latest : before + (latest - before) / LATEST;
    }
}
