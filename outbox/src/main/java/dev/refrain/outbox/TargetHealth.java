package dev.refrain.outbox;

import dev.refrain.api.ExecutionEnvironment;
import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Whether the other side can be reached. One that cannot is left alone for a while, and longer each time; its messages wait, and none of
 * them gets any older by attempts. Safe for use by many threads.
 */
final class TargetHealth {

    private final TopicSettings topic;
    private final ExecutionEnvironment environment;
    private final ReentrantLock lock = new ReentrantLock();
    private int markUnreachable;
    private volatile long retryAt;
    private volatile boolean resting;

    TargetHealth(TopicSettings topic, ExecutionEnvironment environment) {
        this.topic = topic;
        this.environment = environment;
    }

    void markReachable() {
        lock.lock();
        try {
            markUnreachable = 0;
            resting = false;
        } finally {
            lock.unlock();
        }
    }

    /** What was under way together misses together: that is one time. */
    Duration markUnreachable() {
        lock.lock();
        try {
            if (mayRetry()) {
                markUnreachable++;
                retryAt = environment.nanoTime()
                        + topic.backoff().after(markUnreachable, environment).toNanos();
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
