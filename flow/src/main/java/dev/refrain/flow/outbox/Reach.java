package dev.refrain.flow.outbox;

import dev.refrain.Environment;
import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Whether the other side can be reached. One that cannot is left alone for a while, and longer each time; its messages wait, and none of
 * them gets any older by attempts. Safe for use by many threads.
 */
final class Reach {

    private final Topic topic;
    private final Environment environment;
    private final ReentrantLock lock = new ReentrantLock();
    private int missed;
    private volatile long restedAt;
    private volatile boolean resting;

    Reach(Topic topic, Environment environment) {
        this.topic = topic;
        this.environment = environment;
    }

    void found() {
        lock.lock();
        try {
            missed = 0;
            resting = false;
        } finally {
            lock.unlock();
        }
    }

    /** What was under way together misses together: that is one time. */
    Duration missed() {
        lock.lock();
        try {
            if (rested()) {
                missed++;
                restedAt = environment.nanos()
                        + topic.backoff().after(missed, environment).toNanos();
                resting = true;
            }
            return Duration.ofNanos(Math.max(0, restedAt - environment.nanos()));
        } finally {
            lock.unlock();
        }
    }

    boolean rested() {
        return !resting || environment.nanos() - restedAt >= 0;
    }

    long restedAt() {
        return restedAt;
    }
}
