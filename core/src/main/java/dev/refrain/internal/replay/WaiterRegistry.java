package dev.refrain.internal.replay;

import dev.refrain.api.ExecutionEnvironment;
import dev.refrain.api.KeyHash;
import dev.refrain.internal.batch.BatchedStoreClient;
import dev.refrain.internal.claim.FingerprintedCall;
import dev.refrain.store.StoredRecord;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Retries that wait for the one that runs.
 *
 * <p>Each parks the thread it came on, which costs little if that is a virtual one. Those of one key share a {@link KeyWaitQueue}:
 * a completion in this process wakes all of them at once with the outcome; one poll of the store for each key sees
 * completions of other processes. When the record is there to be claimed, one waiter is woken to claim it and the others
 * stay.
 */
public final class WaiterRegistry {

    /** Why a waiter stopped waiting. */
    public sealed interface WaitResult {}

    /** The record is settled: this is what it is. */
    public record Settled(StoredRecord record) implements WaitResult {}

    /** The record may be there to be claimed: ask again. */
    public record ClaimAgain() implements WaitResult {}

    /** The waiter's time is over. */
    public record TimedOut() implements WaitResult {}

    /** Too many wait already. */
    public record LimitReached() implements WaitResult {}

    private final ConcurrentHashMap<KeyHash, KeyWaitQueue> rooms = new ConcurrentHashMap<>();
    private final ConcurrentHashMap<String, Integer> byScope = new ConcurrentHashMap<>();
    private final AtomicInteger waiting = new AtomicInteger();
    private final int mostPerScope;
    private final int mostPerInstance;
    private final BatchedStoreClient lanes;
    private final ExecutionEnvironment environment;
    private volatile boolean closed;

    public WaiterRegistry(
            int mostPerScope, int mostPerInstance, BatchedStoreClient lanes, ExecutionEnvironment environment) {
        this.mostPerScope = mostPerScope;
        this.mostPerInstance = mostPerInstance;
        this.lanes = lanes;
        this.environment = environment;
    }

    /** Waits until it is this one's turn, at most until the deadline on the monotonic clock. */
    public WaitResult await(FingerprintedCall ask, long deadline) {
        String scope = ask.identity().scope();
        if (!enter(scope)) {
            return new LimitReached();
        }
        try {
            var waiter = new KeyWaitQueue.Waiter(deadline);
            rooms.compute(ask.lookup(), (lookup, room) -> {
                var open =
                        room == null ? new KeyWaitQueue(ask.identity(), this::closeIfEmpty, lanes, environment) : room;
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

    /** A record was completed by this process. */
    public void wakeAll(StoredRecord record) {
        var room = rooms.get(record.lookup());
        if (room != null) {
            room.wakeAll(new Settled(record));
        }
    }

    /** A record can be claimed again, as far as this process knows. */
    public void wakeOne(KeyHash lookup) {
        var room = rooms.get(lookup);
        if (room != null) {
            room.wakeOne();
        }
    }

    /** Ends all waiting, from now on too: this process is closing. */
    public void close() {
        closed = true;
        dismissAll();
    }

    private void dismissAll() {
        rooms.values().forEach(room -> room.wakeAll(new TimedOut()));
    }

    /** How many wait now. */
    public int waiting() {
        return waiting.get();
    }

    private void closeIfEmpty(KeyWaitQueue room) {
        rooms.computeIfPresent(room.lookup(), (lookup, current) -> current == room && room.isEmpty() ? null : current);
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
