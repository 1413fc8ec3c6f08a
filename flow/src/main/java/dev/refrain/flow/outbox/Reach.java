package dev.refrain.flow.outbox;

import dev.refrain.Environment;
import java.time.Duration;

/**
 * Whether the other side can be reached. One that cannot is left alone for a while, and longer each time; its messages wait, and none of
 * them gets any older by attempts. Safe for use by many threads.
 */
final class Reach {

    private final Topic topic;
    private final Environment environment;
    private int missed;
    private long restedAt;
    private boolean resting;

    Reach(Topic topic, Environment environment) {
        this.topic = topic;
        this.environment = environment;
    }

    synchronized void found() {
        missed = 0;
        resting = false;
    }

    /** What was under way together misses together: that is one time. */
    synchronized Duration missed() {
        if (rested()) {
            missed++;
            restedAt = environment.nanos()
                    + topic.backoff().after(missed, environment).toNanos();
            resting = true;
        }
        return Duration.ofNanos(Math.max(0, restedAt - environment.nanos()));
    }

    synchronized boolean rested() {
        return !resting || environment.nanos() - restedAt >= 0;
    }

    synchronized long restedAt() {
        return restedAt;
    }
}
