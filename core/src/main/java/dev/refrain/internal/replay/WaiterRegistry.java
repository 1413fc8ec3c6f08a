package dev.refrain.internal.replay;

import dev.refrain.api.ExecutionEnvironment;
import dev.refrain.api.KeyHash;
import dev.refrain.internal.batch.BatchedStoreClient;
import dev.refrain.internal.claim.FingerprintedCall;
import dev.refrain.store.StoredRecord;
import dev.refrain.store.WakeupChannel;
import dev.refrain.store.WakeupChannel.RecordWatch;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Registry of retries that wait for a running call.
 *
 * <p>Each parks its own thread, which costs little for a virtual one. Those of one key share a {@link KeyWaitQueue}: a completion
 * in this process wakes all of them at once with the outcome; the store's wake-ups, if it has them, and one poll per key detect
 * completions by other processes. When the record can be claimed, one waiter is woken to claim it and the others stay.
 */
public final class WaiterRegistry {

    /** Reason why a waiter stopped waiting. */
    public sealed interface WaitResult {}

    /** The record is settled. */
    public record Settled(StoredRecord record) implements WaitResult {}

    /** The record may be claimable: claim again. */
    public record ClaimAgain() implements WaitResult {}

    /** The waiter's time is over. */
    public record TimedOut() implements WaitResult {}

    /** Too many retries are already waiting. */
    public record LimitReached() implements WaitResult {}

    private final ConcurrentHashMap<KeyHash, KeyWaitQueue> rooms = new ConcurrentHashMap<>();
    private final ConcurrentHashMap<String, Integer> byScope = new ConcurrentHashMap<>();
    private final AtomicInteger waiting = new AtomicInteger();
    private final int mostPerScope;
    private final int mostPerInstance;
    private final BatchedStoreClient storeClient;
    private final ExecutionEnvironment environment;
    private final Optional<RecordWatch> watch;
    private volatile boolean closed;

    /**
     * Creates the registry.
     *
     * @param wakeups of the store, if it has any; waiters poll in any case
     */
    public WaiterRegistry(
            int mostPerScope,
            int mostPerInstance,
            BatchedStoreClient storeClient,
            Optional<WakeupChannel> wakeups,
            ExecutionEnvironment environment) {
        this.mostPerScope = mostPerScope;
        this.mostPerInstance = mostPerInstance;
        this.storeClient = storeClient;
        this.environment = environment;
        this.watch = wakeups.map(channel -> channel.openWatch(this::read));
    }

    /** Waits until the record is settled or claimable, at most until the deadline on the monotonic clock. */
    public WaitResult await(FingerprintedCall ask, long deadline) {
        String scope = ask.identity().scope();
        if (!enter(scope)) {
            return new LimitReached();
        }
        try {
            var waiter = new KeyWaitQueue.Waiter(deadline);
            rooms.compute(ask.lookup(), (lookup, room) -> {
                var open = room == null ? openRoom(ask) : room;
                open.admit(waiter);
                return open;
            });
            if (closed) {
                dismissAll();
            }
            return waiter.await();
        } finally {
            leave(scope);
        }
    }

    private KeyWaitQueue openRoom(FingerprintedCall ask) {
        return new KeyWaitQueue(ask.identity(), this::watch, this::closeIfEmpty, storeClient, environment);
    }

    private void watch(KeyWaitQueue room) {
        watch.ifPresent(records -> records.watch(room.lookup()));
    }

    /** Reads a record that another process may have changed. */
    private void read(KeyHash lookup) {
        var room = rooms.get(lookup);
        if (room != null) {
            room.wakeUp();
        }
    }

    /** Wakes all waiters of a record that this process completed. */
    public void wakeAll(StoredRecord record) {
        var room = rooms.get(record.lookup());
        if (room != null) {
            room.wakeAll(new Settled(record));
        }
    }

    /** Wakes one waiter of a record that can be claimed again, as far as this process knows. */
    public void wakeOne(KeyHash lookup) {
        var room = rooms.get(lookup);
        if (room != null) {
            room.wakeOne();
        }
    }

    /** Ends all waiting, and rejects further waiters: this process is closing. */
    public void close() {
        closed = true;
        dismissAll();
        watch.ifPresent(RecordWatch::close);
    }

    private void dismissAll() {
        rooms.values().forEach(room -> room.wakeAll(new TimedOut()));
    }

    /** Returns how many are waiting now. */
    public int waiting() {
        return waiting.get();
    }

    private void closeIfEmpty(KeyWaitQueue room) {
        rooms.computeIfPresent(room.lookup(), (lookup, current) -> {
            if (current != room || !room.isEmpty()) {
                return current;
            }
            watch.ifPresent(records -> records.unwatch(lookup));
            return null;
        });
    }

    private boolean enter(String scope) {
        if (waiting.incrementAndGet() > mostPerInstance) {
            waiting.decrementAndGet();
            return false;
        }
        if (byScope.merge(scope, 1, Integer::sum) > mostPerScope) {
            leave(scope);
            return false;
        }
        return true;
    }

    private void leave(String scope) {
        byScope.computeIfPresent(scope, (s, n) -> n == 1 ? null : n - 1);
        waiting.decrementAndGet();
    }
}
