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
import dev.refrain.store.WakeupChannel;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/** Waiters of one key, with one poll for all of them; wake-ups only make it run earlier. */
final class KeyWaitQueue {

    /** Who is still waiting then is worth a wake-up. */
    private static final Duration FIRST_POLL = WakeupChannel.EARLIEST_WATCH;

    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(1);
    private static final Duration PATIENCE = Duration.ofSeconds(1);

    private final ScopedKey identity;
    private final KeyHash lookup;
    private final Consumer<KeyWaitQueue> lasting;
    private final Consumer<KeyWaitQueue> emptied;
    private final BatchedStoreClient storeClient;
    private final ExecutionEnvironment environment;
    private final ReentrantLock lock = new ReentrantLock();
    private final ArrayDeque<Waiter> waiters = new ArrayDeque<>();
    private final AtomicInteger wakeups = new AtomicInteger();
    private Duration pause = FIRST_POLL;
    private boolean polled;
    private boolean lasts;
    private final AtomicBoolean watched = new AtomicBoolean();
    private boolean wokenWhileEmpty;
    private boolean emptyAtLastPoll;
    private long nextPoll;

    /**
     * Creates the queue.
     *
     * @param lasting called once for a wait that the first poll did not end: short ones are not worth a wake-up
     * @param emptied called when nobody waits any more
     */
    KeyWaitQueue(
            ScopedKey identity,
            Consumer<KeyWaitQueue> lasting,
            Consumer<KeyWaitQueue> emptied,
            BatchedStoreClient storeClient,
            ExecutionEnvironment environment) {
        this.identity = identity;
        this.lookup = identity.hash();
        this.lasting = lasting;
        this.emptied = emptied;
        this.storeClient = storeClient;
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
            if (wokenWhileEmpty) {
                wokenWhileEmpty = false;
                lookNow();
            }
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

    /** Wakes one waiter to claim; if it does not get the claim it returns, and the poll continues for the others. */
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

    /** Schedules the next poll, never later than the first deadline. Called under the lock. */
    private void pollLater() {
        var delay = atMost(pause);
        nextPoll = environment.nanoTime() + delay.toNanos();
        environment.schedule(delay, () -> environment.startThread("refrain-waiters", this::poll));
    }

    /** Returns this time, or the time until the first deadline if that is shorter. Called under the lock. */
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
        if (!isEmpty() && !look() && !lasts) {
            lasts = true;
            lasting.accept(this);
        }
        lock.lock();
        try {
            // An empty queue is kept for one more pause: the waiter that was woken to claim may return, and the pauses
            // continue
            // to grow instead of starting anew.
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

    /**
     * Reads the record between polls. The first wake-up only says that the record is watched from now on: it was read a moment ago, and the next
     * poll is near.
     */
    void wakeUp() {
        if (watched.getAndSet(true)) {
            lookNow();
        }
    }

    /** Reads the record now. Wake-ups that arrive meanwhile, however many, cause one more read. */
    private void lookNow() {
        if (wakeups.getAndIncrement() == 0) {
            environment.startThread("refrain-waiters", this::lookWhileWoken);
        }
    }

    private void lookWhileWoken() {
        int seen;
        boolean ended;
        try {
            do {
                seen = wakeups.get();
                ended = hasWaiterToWake() && look();
            } while (!wakeups.compareAndSet(seen, 0));
            if (!ended) {
                environment.schedule(FIRST_POLL, () -> environment.startThread("refrain-waiters", this::lookOnceMore));
            }
        } catch (RuntimeException | Error e) {
            wakeups.set(0);
            throw e;
        }
    }

    /** Reads the record again: its runner may have looked for watches before this one existed, or finished too soon to look. */
    private void lookOnceMore() {
        if (!isEmpty()) {
            look();
        }
    }

    /** Returns true if a waiter can be woken. The only one may have left to claim, too early: then its return is woken. */
    private boolean hasWaiterToWake() {
        lock.lock();
        try {
            wokenWhileEmpty = waiters.isEmpty();
            return !wokenWhileEmpty;
        } finally {
            lock.unlock();
        }
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

    /** Reads the record, and lets one waiter claim it if it can be claimed; returns true if the wait is over for all. */
    private boolean look() {
        Optional<StoredRecord> record;
        try {
            record = storeClient.find(identity, patience());
        } catch (StoreException away) {
            // The batcher has reported it. The waiters stay: the store may be back before their time is up.
            return false;
        }
        var state = record.map(StoredRecord::state);
        if (state.filter(s -> s == RecordState.COMPLETED || s == RecordState.ATTENTION)
                .isPresent()) {
            wakeAll(new Settled(record.get()));
            return true;
        }
        if (state.filter(s -> s == RecordState.IN_PROGRESS).isEmpty()
                || record.get().isLeaseExpired()) {
            // Absent, released, or abandoned.
            wakeOne();
        }
        return false;
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
