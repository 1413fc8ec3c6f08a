package dev.refrain.store.jdbc.internal.transaction;

import dev.refrain.api.CurrentClaim;
import dev.refrain.store.ClaimRequest;
import dev.refrain.store.FairRequestQueue;
import dev.refrain.store.StoreOverloadedException;
import dev.refrain.store.TransactionLimits;
import dev.refrain.store.jdbc.internal.sql.SqlSession;
import dev.refrain.store.jdbc.internal.transaction.KeyLockResult.LockRequest;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Queue of transactions that wait for a connection, in front of the application's pool: scopes in turn, and each in order of arrival.
 *
 * <p>Only a few of them wait in the pool at a time; a transaction that gets its connection lets the next one in. The queue orders
 * the borrowing of connections and never the work: a transaction leaves it once it has its connection. A thread that is already
 * inside a transaction does not queue, because others may wait for the connection that it holds. If nobody has been served for too
 * long, a waiting transaction goes to the pool by itself, and is then subject to the pool's timeout. One that would wait for longer than
 * half its patience, at the pace of the moment, is refused at once; a phase of a run that has its claim is not, because what was begun is
 * better finished. A phase of a run that has begun goes to the pool by itself after {@link #LONGEST_WAIT}, whoever is served meanwhile.
 *
 * <p>Where connections may be handed on, a commit passes its connection to the first in the queue and acquires that one's lock in
 * the same round trip: under load a protected transaction then takes no more round trips than an unprotected one. A connection is
 * handed on for a few milliseconds and then returns to its pool; and none is handed on while a transaction that has waited too
 * long waits in the pool.
 *
 * <p>Thread-safe.
 */
public final class ConnectionWaitQueue {

    /** Maximum wait in this queue without anybody being served, before the pool. */
    public static final Duration LONGEST_WAIT = Duration.ofSeconds(1);

    private static final Duration HANDED_ON_FOR = Duration.ofMillis(50);
    private static final int IN_POOL = 4;

    /** Number of transactions ahead up to which nobody is refused, whatever the pace. */
    private static final int ALWAYS_QUEUED = 64;

    /**
     * Divisor of a transaction's patience: the wait may become twice as long as it looks, because the database slows down, and it is still
     * served.
     */
    private static final int HEADROOM = 2;

    /** Weight of the latest interval between two that are served, as a fraction: a sixteenth. The first are averaged. */
    private static final int LATEST = 16;

    /** Number of intervals that show a pace: one alone may have been the making of a connection. */
    private static final int KNOWN_AFTER = IN_POOL;

    /** Borrows a connection from the pool and begins a transaction on it. */
    @FunctionalInterface
    public interface TransactionStarter {
        TransactionSession begin() throws SQLException;
    }

    /** Rules for which callers queue, and which of those may get the connection of another. */
    public record Rules(BooleanSupplier queues, BooleanSupplier handsOn, Duration longestWait) {

        /** Lets everyone go to the pool at once. */
        public static final Rules NO_QUEUE = new Rules(() -> false, () -> false, LONGEST_WAIT);
    }

    private final Rules rules;
    private final TransactionStarter pool;
    private final LongSupplier nanoTime;
    private final ReentrantLock lock = new ReentrantLock();
    private final AtomicLong served = new AtomicLong();
    private final FairRequestQueue<Waiter> waiting = new FairRequestQueue<>(Waiter::scope);
    private int inPool;
    private long lastServed;
    private volatile long interval;
    private volatile int learned;

    public ConnectionWaitQueue(Rules rules, TransactionStarter pool, LongSupplier nanoTime) {
        this.rules = rules;
        this.pool = pool;
        this.nanoTime = nanoTime;
        this.lastServed = nanoTime.getAsLong();
    }

    /** Returns the time by this queue's clock. */
    long now() {
        return nanoTime.getAsLong();
    }

    /**
     * Transaction that has begun, and the statements on its connection.
     *
     * @param borrowed when its connection was borrowed from the pool
     * @param entered the result of acquiring our lock, if the transaction before did that for us; absent if we have to
     * @param contested whether a transaction before may hold our lock for a moment without having told us
     */
    public record TransactionSession(
            DatabaseTransaction own,
            SqlSession session,
            long borrowed,
            Optional<KeyLockResult> entered,
            boolean contested) {

        public static TransactionSession fromPool(DatabaseTransaction own, SqlSession session, long borrowed) {
            return new TransactionSession(own, session, borrowed, Optional.empty(), false);
        }

        /** Rolls back and starts again. */
        TransactionSession startOver() throws SQLException {
            own.rollbackForRestart();
            return restarted();
        }

        /** Starts again after a rollback; a transaction on another connection needs new statements. */
        TransactionSession restarted() throws SQLException {
            var next = own.restart();
            var same = next.equals(own) ? session : session.on(next.connection());
            return fromPool(next, same, borrowed);
        }

        TransactionSession handOn(KeyLockResult found) {
            return new TransactionSession(own, session, borrowed, Optional.of(found), false);
        }

        private TransactionSession asContested() {
            return new TransactionSession(own, session, borrowed, entered, true);
        }
    }

    /** Caller that waits for a connection, or to be sent to the pool. */
    public static final class Waiter {
        private final String scope;
        private final Optional<LockRequest> request;
        private final boolean takesHandedOn;
        private final Optional<Duration> longestWait;
        private volatile boolean chosen;
        private final CompletableFuture<Optional<TransactionSession>> turn = new CompletableFuture<>();

        /** @param longestWait time after which it goes to the pool although others are served; absent if it waits on then */
        private Waiter(
                String scope, Optional<LockRequest> request, boolean takesHandedOn, Optional<Duration> longestWait) {
            this.scope = scope;
            this.request = request;
            this.takesHandedOn = takesHandedOn;
            this.longestWait = longestWait;
        }

        public ClaimRequest request() {
            return lockRequest().request();
        }

        /** Returns the lock that is acquired with a connection that is handed on; only {@link #next} returns such waiters. */
        LockRequest lockRequest() {
            return request.orElseThrow();
        }

        private String scope() {
            return scope;
        }
    }

    /**
     * Waits for its turn, and then for the pool up to the pool's timeout. A wait longer than the patience is refused and not begun.
     *
     * @throws StoreOverloadedException if too many wait before it
     */
    public TransactionSession take(ClaimRequest request, TransactionLimits limits) throws SQLException {
        if (goesAhead()) {
            return pool.begin();
        }
        var waiter = new Waiter(
                request.identity().scope(),
                Optional.of(new LockRequest(request, limits)),
                rules.handsOn().getAsBoolean(),
                Optional.empty());
        return queue(waiter, () -> requireInTime(waiter.scope(), limits.patience()));
    }

    /**
     * Waits for its turn like {@link #take}, however many wait before it: for a phase of a run that has its claim. Its scope is that of the
     * run's key.
     *
     * @param runHasBegun whether it goes to the pool by itself before its patience is over: in a flood of its scope its turn would come too late,
     *     and what its run has done would be lost
     */
    public TransactionSession takeForPhase(String scope, boolean runHasBegun, Duration patience) throws SQLException {
        if (goesAhead()) {
            return pool.begin();
        }
        var half = patience.dividedBy(HEADROOM);
        var longestWait = half.compareTo(rules.longestWait()) < 0 ? half : rules.longestWait();
        return queue(
                new Waiter(
                        scope, Optional.empty(), false, Optional.of(longestWait).filter(wait -> runHasBegun)),
                () -> {});
    }

    private TransactionSession queue(Waiter waiter, Runnable admission) throws SQLException {
        lock.lock();
        try {
            admission.run();
            if (waiting.isEmpty()) {
                // Only intervals in which somebody waited show the pace.
                lastServed = now();
            }
            waiting.add(waiter);
            letIn();
        } finally {
            lock.unlock();
        }
        var handedOn = await(waiter);
        if (handedOn.isPresent()) {
            return handedOn.get();
        }
        var ours = fromPool();
        return waiter.chosen ? ours.asContested() : ours;
    }

    /** Returns true if a caller does not queue: its DataSource has no queue, or it holds a connection for which others may wait. */
    private boolean goesAhead() {
        return WorkOnThread.isOpen()
                || CurrentClaim.inTransaction()
                || !rules.queues().getAsBoolean();
    }

    /** Returns true if a transaction of this scope would be let in now. Takes no lock: in a flood it is asked for every call. */
    public boolean hasCapacity(String scope, Duration patience) {
        return goesAhead() || isInTime(waiting.aheadOf(scope), patience);
    }

    private boolean isInTime(int ahead, Duration patience) {
        return ahead <= ALWAYS_QUEUED || learned < KNOWN_AFTER || ahead * interval <= patience.toNanos() / HEADROOM;
    }

    private void requireInTime(String scope, Duration patience) {
        int ahead = waiting.aheadOf(scope);
        if (!isInTime(ahead, patience)) {
            throw new StoreOverloadedException(
                    "Too many transactions wait for a connection: " + ahead
                            + " before this one, which would not be served in time at the pace of the moment. Nothing ran; retry later.");
        }
    }

    /** Borrows from the pool at once, for a caller that neither queues nor hands its connection on. */
    public TransactionSession aside() throws SQLException {
        return pool.begin();
    }

    /** Removes the first waiter, if this connection may be handed on; then {@link #pass} the connection, or {@link #giveBack}. */
    public @Nullable Waiter next(TransactionSession open) {
        if (!open.own().mayMove() || now() - open.borrowed() >= HANDED_ON_FOR.toNanos()) {
            return null;
        }
        lock.lock();
        try {
            if (waiting.isEmpty() || !waiting.element().takesHandedOn || inPool > IN_POOL) {
                return null;
            }
            var first = waiting.remove();
            first.chosen = true;
            serve();
            return first;
        } finally {
            lock.unlock();
        }
    }

    /** Passes a connection to a waiter; returns false if it has stopped waiting, and the connection stays where it is. */
    public boolean pass(Waiter waiter, TransactionSession handedOn) {
        return waiter.turn.complete(Optional.of(handedOn));
    }

    /** Sends a waiter to which no connection was passed to the pool; it does not queue again. */
    void giveBack(Waiter waiter) {
        lock.lock();
        try {
            sendToPool(waiter);
        } finally {
            lock.unlock();
        }
    }

    private TransactionSession fromPool() throws SQLException {
        try {
            return pool.begin();
        } finally {
            lock.lock();
            try {
                inPool--;
                serve();
                letIn();
            } finally {
                lock.unlock();
            }
        }
    }

    /** Learns the pace. Called under the lock. */
    private void serve() {
        long now = now();
        learned = Math.min(learned + 1, LATEST);
        long before = interval;
        interval = before + (now - lastServed - before) / learned;
        lastServed = now;
        served.incrementAndGet();
    }

    private void letIn() {
        while (inPool < IN_POOL && !waiting.isEmpty()) {
            sendToPool(waiting.remove());
        }
    }

    private void sendToPool(Waiter waiter) {
        if (waiter.turn.complete(Optional.empty())) {
            inPool++;
        }
    }

    private Optional<TransactionSession> await(Waiter waiter) throws SQLException {
        try {
            long before;
            var wait = waiter.longestWait.orElse(rules.longestWait());
            do {
                before = served.get();
                try {
                    return waiter.turn.get(wait.toNanos(), TimeUnit.NANOSECONDS);
                } catch (TimeoutException notYet) {
                    // Wait on if others were served meanwhile: it is only a long queue.
                }
            } while (served.get() != before && waiter.longestWait.isEmpty());
            leave(waiter);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            var interrupted = new SQLException("Interrupted while waiting for a connection.", e);
            if (waiter.turn.completeExceptionally(interrupted)) {
                remove(waiter);
                throw interrupted;
            }
        } catch (ExecutionException e) {
            throw new IllegalStateException(
                    "A waiter was completed exceptionally, which only the waiter itself may do.", e);
        }
        // The connection came at the same moment and must not be lost; otherwise go to the pool.
        return waiter.turn.join();
    }

    private void leave(Waiter waiter) {
        lock.lock();
        try {
            waiting.removeAll(waiter::equals);
            sendToPool(waiter);
        } finally {
            lock.unlock();
        }
    }

    private void remove(Waiter waiter) {
        lock.lock();
        try {
            waiting.removeAll(waiter::equals);
        } finally {
            lock.unlock();
        }
    }
}
