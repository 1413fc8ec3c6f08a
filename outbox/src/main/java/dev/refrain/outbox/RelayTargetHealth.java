package dev.refrain.outbox;

import dev.refrain.api.ExecutionEnvironment;
import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Reachability of a target. One that cannot be reached is left alone for growing pauses; its messages wait, and lose no attempts. Safe for
 * use by many threads.
 */
final class RelayTargetHealth {

    private final TopicSettings topic;
    private final ExecutionEnvironment environment;
    private final ReentrantLock lock = new ReentrantLock();
    private int misses;
    private volatile long retryAt;
    private volatile boolean resting;

    RelayTargetHealth(TopicSettings topic, ExecutionEnvironment environment) {
        this.topic = topic;
        this.environment = environment;
    }

    void markReachable() {
        lock.lock();
        try {
            misses = 0;
            resting = false;
        } finally {
            lock.unlock();
        }
    }

    /** Counts a miss; deliveries that were under way together count as one. */
    Duration markUnreachable() {
        lock.lock();
        try {
            if (mayRetry()) {
                misses++;
                retryAt = environment.nanoTime()
                        + topic.backoff().after(misses, environment).toNanos();
                resting = true;
            }
            return Duration.ofNanos(Math.max(0, retryAt - environment.nanoTime()));
        } finally {
            lock.unlock();
        }
    }

    boolean mayRetry() {
        return !resting || environment.nanoTime() - retryAt >= 0;
    }

    long retryAt() {
        return retryAt;
    }
}
