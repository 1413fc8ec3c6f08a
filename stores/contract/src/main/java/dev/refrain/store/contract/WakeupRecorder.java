package dev.refrain.store.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.refrain.api.KeyHash;
import dev.refrain.store.WakeupChannel;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** Watch that counts its wake-ups. */
final class WakeupRecorder implements AutoCloseable {

    /** Far longer than a wake-up takes, even on a machine that pauses for a while. */
    private static final Duration LIMIT = Duration.ofSeconds(15);

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition more = lock.newCondition();
    private final Map<KeyHash, Integer> counts = new HashMap<>();
    private final WakeupChannel.RecordWatch watch;

    WakeupRecorder(WakeupChannel channel) {
        watch = channel.openWatch(this::add);
    }

    private void add(KeyHash lookup) {
        lock.lock();
        try {
            counts.merge(lookup, 1, Integer::sum);
            more.signalAll();
        } finally {
            lock.unlock();
        }
    }

    void watch(KeyHash lookup) {
        watch.watch(lookup);
    }

    void unwatch(KeyHash lookup) {
        watch.unwatch(lookup);
    }

    int count(KeyHash lookup) {
        lock.lock();
        try {
            return counts.getOrDefault(lookup, 0);
        } finally {
            lock.unlock();
        }
    }

    /** Watches a record, and waits for the wake-up that follows. */
    void watchAndAwait(KeyHash lookup) {
        watch(lookup);
        awaitMoreThan(0, lookup);
    }

    void awaitMoreThan(int before, KeyHash lookup) {
        lock.lock();
        try {
            long left = LIMIT.toNanos();
            while (count(lookup) <= before && left > 0) {
                left = more.awaitNanos(left);
            }
            assertThat(count(lookup)).as("wake-ups within %s", LIMIT).isGreaterThan(before);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() {
        watch.close();
    }
}
