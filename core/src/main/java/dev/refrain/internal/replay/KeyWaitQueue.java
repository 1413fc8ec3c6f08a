package dev.refrain.internal.replay;

import dev.refrain.api.ExecutionEnvironment;
import dev.refrain.api.KeyHash;
import dev.refrain.api.ScopedKey;
import dev.refrain.internal.batch.BatchedStoreClient;
import dev.refrain.internal.replay.WaiterRegistry.ClaimAgain;
import dev.refrain.internal.replay.WaiterRegistry.Settled;
import dev.refrain.internal.replay.WaiterRegistry.TimedOut;
import dev.refrain.internal.replay.WaiterRegistry.WaitResult;
import dev.refrain.store.RecordState;
import dev.refrain.store.StoreException;
import dev.refrain.store.StoredRecord;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/** Where the waiters of one key wait, and the one poll that looks for them all. */
final class KeyWaitQueue {

    private static final Duration FIRST_POLL = Duration.ofMillis(20);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(1);
    private static final Duration PATIENCE = Duration.ofSeconds(1);

    private final ScopedKey identity;
    private final KeyHash lookup;
    private final Consumer<KeyWaitQueue> emptied;
    private final BatchedStoreClient lanes;
    private final ExecutionEnvironment environment;
    private final ReentrantLock lock = new ReentrantLock();
    private final ArrayDeque<Waiter> waiters = new ArrayDeque<>();
    private Duration pause = FIRST_POLL;
    private boolean polled;
    private boolean emptyAtLastPoll;
    private long nextPoll;

    KeyWaitQueue(
            ScopedKey identity,
            Consumer<KeyWaitQueue> emptied,
            BatchedStoreClient lanes,
            ExecutionEnvironment environment) {
        this.identity = identity;
        this.lookup = identity.hash();
        this.emptied = emptied;
        this.lanes = lanes;
        this.environment = environment;
    }

    /** One parked retry. */
    static final class Waiter {
        private final long deadline;
        private final CompletableFuture<WaitResult> turn = new CompletableFuture<>();

        Waiter(long deadline) {
            this.deadline = deadline;
        }

        WaitResult await() {
            return turn.join();
        }
    }

    KeyHash lookup() {
        return lookup;
    }

    boolean isEmpty() {
        lock.lock();
        try {
            return waiters.isEmpty();
        } finally {
            lock.unlock();
        }
    }

    void admit(Waiter waiter) {
        lock.lock();
        try {
            waiters.add(waiter);
            emptyAtLastPoll = false;
            if (!polled) {
                polled = true;
                pollLater();
            } else if (waiter.deadline - nextPoll < 0) {
                environment.schedule(left(waiter), this::dismissOverdue);
            }
        } finally {
            lock.unlock();
        }
    }

    void wakeAll(WaitResult turn) {
        List<Waiter> woken;
        lock.lock();
        try {
            woken = new ArrayList<>(waiters);
            waiters.clear();
        } finally {
            lock.unlock();
        }
        woken.forEach(w -> w.turn.complete(turn));
    }

    /** One claims; if it does not get the claim it comes back, and the poll goes on for the others. */
    void wakeOne() {
        Waiter first;
        lock.lock();
        try {
            first = waiters.poll();
        } finally {
            lock.unlock();
        }
        if (first != null) {
            first.turn.complete(new ClaimAgain());
        }
    }

    /** Called under the lock. Never later than the first deadline, so that nobody waits longer than they said. */
    private void pollLater() {
        var delay = atMost(pause);
        nextPoll = environment.nanoTime() + delay.toNanos();
        environment.schedule(delay, () -> environment.startThread("refrain-waiters", this::poll));
    }

    /** Called under the lock: that long, or until the first deadline. */
    private Duration atMost(Duration time) {
        return waiters.stream()
                .map(this::left)
                .min(Comparator.naturalOrder())
                .filter(soonest -> soonest.compareTo(time) < 0)
                .orElse(time);
    }

    private Duration left(Waiter waiter) {
        return Duration.ofNanos(Math.max(0, waiter.deadline - environment.nanoTime()));
    }

    private void poll() {
        dismissOverdue();
        if (!isEmpty()) {
            look();
        }
        lock.lock();
        try {
            // An empty room is kept for one more pause: the one who was woken to claim may be back, and the pauses go
            // on
            // growing instead of starting anew.
            polled = !waiters.isEmpty() || !emptyAtLastPoll;
            emptyAtLastPoll = waiters.isEmpty();
            if (polled) {
                pause = pause.multipliedBy(2).compareTo(LONGEST_PAUSE) < 0 ? pause.multipliedBy(2) : LONGEST_PAUSE;
                pollLater();
                return;
            }
        } finally {
            lock.unlock();
        }
        emptied.accept(this);
    }

    private void dismissOverdue() {
        List<Waiter> overdue = new ArrayList<>();
        lock.lock();
        try {
            long now = environment.nanoTime();
            waiters.removeIf(w -> w.deadline - now <= 0 && overdue.add(w));
        } finally {
            lock.unlock();
        }
        overdue.forEach(w -> w.turn.complete(new TimedOut()));
    }

    private void look() {
        Optional<StoredRecord> record;
        try {
            record = lanes.find(identity, patience());
        } catch (StoreException away) {
            // The lane has reported it. The waiters keep their places: the store may be back before their time is up.
            return;
        }
        var state = record.map(StoredRecord::state);
        if (state.filter(s -> s == RecordState.COMPLETED || s == RecordState.ATTENTION)
                .isPresent()) {
            wakeAll(new Settled(record.get()));
        } else if (state.filter(s -> s == RecordState.IN_PROGRESS).isEmpty()
                || record.get().isLeaseExpired()) {
            // Absent, released, or abandoned: one of them claims it.
            wakeOne();
        }
    }

    private Duration patience() {
        lock.lock();
        try {
            return atMost(PATIENCE);
        } finally {
            lock.unlock();
        }
    }
}
