package dev.refrain.store.jdbc.internal.wakeup;

import dev.refrain.api.KeyHash;
import dev.refrain.store.WakeupChannel;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Records that one instance waits for, with a listening connection and a registering thread, both only while there are any.
 *
 * <p>It first listens, then registers, then has the record read: a completion after the registration wakes it, and one before is
 * seen by the read. A statement that looked for registrations before ours and commits after our read is left to the waiters'
 * polling.
 */
final class JdbcRecordWatch implements WakeupChannel.RecordWatch {

    /** How long the connection is kept after the last waiter: the next one may come soon. */
    private static final Duration LINGER = Duration.ofSeconds(5);

    private static final Duration EXTEND_EVERY = WaiterRegistrations.LIFE.dividedBy(3);
    private static final Duration AFTER_FAILURE = Duration.ofSeconds(1);

    /** Maximum delay before ended registrations are removed, together; until then they cost a notification at most. */
    private static final Duration REMOVED_WITHIN = Duration.ofSeconds(2);

    /** Minimum interval of reads when it is unknown which record changed and all are read. */
    private static final Duration FOR_EACH_READ = Duration.ofMillis(1);

    /** Next step of the thread. */
    private record Step(Set<KeyHash> toRegister, Set<KeyHash> toUnregister, Set<KeyHash> toWake) {}

    private final WaiterRegistrations registrations;
    private final Function<Consumer<String>, CommitListener> listen;
    private final Consumer<KeyHash> changed;
    private final Consumer<JdbcRecordWatch> ended;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition news = lock.newCondition();
    private final Set<KeyHash> watched = new HashSet<>();
    private final Set<KeyHash> added = new HashSet<>();
    private final Set<KeyHash> removed = new HashSet<>();
    private boolean working;
    private boolean listening;
    private boolean wakeAll;
    private boolean closed;
    private long emptySince;
    private long extendAt;
    private long removeAt;
    private long notBefore;

    JdbcRecordWatch(
            WaiterRegistrations registrations,
            Function<Consumer<String>, CommitListener> listen,
            Consumer<KeyHash> changed,
            Consumer<JdbcRecordWatch> ended) {
        this.registrations = registrations;
        this.listen = listen;
        this.changed = changed;
        this.ended = ended;
    }

    @Override
    public void watch(KeyHash lookup) {
        lock.lock();
        try {
            if (closed || !watched.add(lookup)) {
                return;
            }
            added.add(lookup);
            removed.remove(lookup);
            if (!working) {
                working = true;
                listening = false;
                notBefore = System.nanoTime();
                extendAt = notBefore + EXTEND_EVERY.toNanos();
                Thread.ofVirtual().name("refrain-watch-records").start(this::work);
            }
            news.signalAll();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void unwatch(KeyHash lookup) {
        lock.lock();
        try {
            if (watched.remove(lookup) && !added.remove(lookup)) {
                if (removed.isEmpty()) {
                    removeAt = System.nanoTime() + REMOVED_WITHIN.toNanos();
                }
                removed.add(lookup);
                news.signalAll();
            }
            emptySince = System.nanoTime();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
            removed.addAll(watched);
            watched.clear();
            added.clear();
            news.signalAll();
        } finally {
            lock.unlock();
        }
        ended.accept(this);
    }

    private void heard(String payload) {
        if (payload.equals(CommitListener.ANYTHING)) {
            lock.lock();
            try {
                listening = true;
                wakeAll = true;
                news.signalAll();
            } finally {
                lock.unlock();
            }
        } else if (isWatched(payload)) {
            changed.accept(hash(payload));
        }
    }

    private boolean isWatched(String payload) {
        lock.lock();
        try {
            return watched.contains(hash(payload));
        } catch (IllegalArgumentException notOurs) {
            return false;
        } finally {
            lock.unlock();
        }
    }

    private static KeyHash hash(String payload) {
        return KeyHash.of(UUID.fromString(payload));
    }

    private void work() {
        var ear = listen.apply(this::heard);
        try {
            while (awaitNews()) {
                act(nextStep());
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        } finally {
            ear.endSoon();
        }
    }

    private void act(Step step) {
        try {
            registrations.unregister(step.toUnregister());
            registrations.register(step.toRegister());
            step.toWake().forEach(changed);
        } catch (RuntimeException away) {
            tryAgain(step);
        }
    }

    /** Retries a step; registrations that could not be removed expire. */
    private void tryAgain(Step step) {
        lock.lock();
        try {
            notBefore = System.nanoTime() + AFTER_FAILURE.toNanos();
            step.toRegister().stream().filter(watched::contains).forEach(added::add);
        } finally {
            lock.unlock();
        }
    }

    /** Waits until there is something to do; returns false when nobody waits any more. */
    private boolean awaitNews() throws InterruptedException {
        lock.lock();
        try {
            while (true) {
                long now = System.nanoTime();
                if (isOver() || isIdle(now)) {
                    working = false;
                    return false;
                }
                long wait = notBefore - now;
                if (wait <= 0 && listening) {
                    if (isStepDue(now)) {
                        return true;
                    }
                    wait = removed.isEmpty() ? extendAt - now : removeAt - now;
                }
                wait = Math.min(wait <= 0 ? LINGER.toNanos() : wait, LINGER.toNanos());
                news.await(wait, TimeUnit.NANOSECONDS);
            }
        } finally {
            lock.unlock();
        }
    }

    /** Called under the lock. */
    private boolean isStepDue(long now) {
        return !added.isEmpty()
                || (!removed.isEmpty() && (closed || removeAt - now <= 0))
                || (wakeAll && !watched.isEmpty())
                || extendAt - now <= 0;
    }

    /** Called under the lock. */
    private boolean isOver() {
        return closed && (removed.isEmpty() || !listening);
    }

    /** Called under the lock. */
    private boolean isIdle(long now) {
        return watched.isEmpty() && removed.isEmpty() && now - emptySince >= LINGER.toNanos();
    }

    private Step nextStep() {
        lock.lock();
        try {
            long now = System.nanoTime();
            boolean all = wakeAll || extendAt - now <= 0;
            var toRegister = new HashSet<>(all ? watched : added);
            var toWake = new HashSet<>(wakeAll ? watched : added);
            var toUnregister = new HashSet<>(removed);
            if (all) {
                extendAt = now + EXTEND_EVERY.toNanos();
                notBefore = now + FOR_EACH_READ.multipliedBy(toWake.size()).toNanos();
            }
            wakeAll = false;
            added.clear();
            removed.clear();
            return new Step(toRegister, toUnregister, toWake);
        } finally {
            lock.unlock();
        }
    }
}
