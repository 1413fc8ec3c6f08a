package dev.refrain.store.redis;

import java.time.Duration;

/**
 * How many replicas have to have a change before it is acknowledged, and for how long that is waited for.
 *
 * @param count 0 to wait for none
 */
record ReplicaWait(int count, Duration timeout) {

    static final ReplicaWait NONE = new ReplicaWait(0, Duration.ZERO);

    boolean isOn() {
        return count > 0;
    }
}
