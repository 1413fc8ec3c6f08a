package dev.refrain.store.jdbc.internal.wakeup;

import dev.refrain.api.KeyHash;
import dev.refrain.store.jdbc.internal.connection.DedicatedConnection;
import dev.refrain.store.jdbc.internal.sql.ParameterizedScript;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Sends wake-ups for settled records after their commit, on a connection on which neither work nor completions run, because
 * NOTIFY makes commits wait for one another. Wake-ups that gather while one batch is in flight, and for a moment after it, share the next.
 *
 * <p>Thread-safe and non-blocking. A wake-up that cannot be sent is dropped, since waiters also poll.
 */
public final class WakeupNotifier implements WaiterWakeup {

    /** Maximum queue length: beyond it the database is slow, and wake-ups would be late too. */
    private static final int MOST_QUEUED = 10_000;

    private static final int BATCH = 256;

    /** Pause between two batches, so that many short runs share one. */
    private static final Duration GATHERING = Duration.ofMillis(10);

    /** Time without wake-ups after a failure: heartbeats use this connection too, and must not queue behind hints. */
    private static final Duration QUIET = Duration.ofMillis(250);

    private static final ParameterizedScript<KeyHash> NOTIFY =
            ParameterizedScript.<KeyHash>script("waiter_notify").uuid("lookup", KeyHash::asUuid);

    private final DedicatedConnection dedicated;
    private final ReentrantLock lock = new ReentrantLock();
    private final Set<KeyHash> queued = new LinkedHashSet<>();
    private boolean sending;
    private long quietUntil = System.nanoTime();

    /**
     * Creates the notifier.
     *
     * @param dedicated connection on which neither claims nor completions run
     */
    public WakeupNotifier(DedicatedConnection dedicated) {
        this.dedicated = dedicated;
    }

    @Override
    public void wakeWaiters(Collection<KeyHash> lookups) {
        if (lookups.isEmpty()) {
            return;
        }
        lock.lock();
        try {
            if (queued.size() + lookups.size() > MOST_QUEUED || quietUntil - System.nanoTime() > 0) {
                return;
            }
            queued.addAll(lookups);
            if (!sending) {
                sending = true;
                Thread.ofVirtual().name("refrain-wakeups").start(this::sendAll);
            }
        } finally {
            lock.unlock();
        }
    }

    private void sendAll() {
        for (var batch = next(); !batch.isEmpty(); batch = next()) {
            send(batch);
            LockSupport.parkNanos(GATHERING.toNanos());
        }
    }

    private List<KeyHash> next() {
        lock.lock();
        try {
            var batch = new ArrayList<KeyHash>();
            var rest = queued.iterator();
            while (rest.hasNext() && batch.size() < BATCH) {
                batch.add(rest.next());
                rest.remove();
            }
            sending = !batch.isEmpty();
            return batch;
        } finally {
            lock.unlock();
        }
    }

    private void send(List<KeyHash> batch) {
        try {
            dedicated.write(
                    "Waking those who wait for " + batch.size() + " records",
                    s -> s.runBatch(NOTIFY, batch, row -> true));
        } catch (RuntimeException missed) {
            // A lost wake-up: the waiters poll.
            beQuiet();
        }
    }

    private void beQuiet() {
        lock.lock();
        try {
            queued.clear();
            quietUntil = System.nanoTime() + QUIET.toNanos();
        } finally {
            lock.unlock();
        }
    }
}
