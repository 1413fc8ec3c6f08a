package dev.refrain.store.jdbc.internal.transaction;

import dev.refrain.store.ClaimRequest;
import dev.refrain.store.jdbc.internal.sql.SqlSession;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Where transactions of our own wait for a connection: in front of the application's pool, with only a few of them in
 * the pool's own line.
 *
 * <p>Whoever commits hands the connection on to the first who waits here, and enters for it in the same round trip. Under
 * load a protected transaction then takes no more round trips than an unprotected one. A connection is handed on a few
 * times, for a few milliseconds, and goes back to its pool; each place in the pool's line stands for as many callers here.
 *
 * <p>Safe for use by many threads.
 */
public final class ConnectionHandoverQueue {

    private static final int HANDED_ON = 32;
    private static final Duration HANDED_ON_FOR = Duration.ofMillis(50);
    private static final int ALWAYS_IN_POOL = 4;
    private static final Duration LONG_WAIT = Duration.ofMillis(20);

    /** Takes a connection out of the pool and begins. */
    @FunctionalInterface
    public interface TransactionStarter {
        TransactionSession begin() throws SQLException;
    }

    private final BooleanSupplier handsOn;
    private final TransactionStarter pool;
    private final LongSupplier nanoTime;
    private final ReentrantLock lock = new ReentrantLock();
    private final ArrayDeque<Waiter> waiting = new ArrayDeque<>();
    private final Set<Waiter> taken = ConcurrentHashMap.newKeySet();
    private int inPool;

    /** @param handsOn whether the thread that asks takes what is handed on; if not, it goes to the pool at once */
    public ConnectionHandoverQueue(BooleanSupplier handsOn, TransactionStarter pool, LongSupplier nanoTime) {
        this.handsOn = handsOn;
        this.pool = pool;
        this.nanoTime = nanoTime;
    }

    /** The moment by the clock that this line goes by. */
    long now() {
        return nanoTime.getAsLong();
    }

    /**
     * A transaction that has begun.
     *
     * @param handedOn how often its connection was
     * @param borrowed when it was taken from the pool
     * @param entered what the one who handed it on found for us; absent if we have to enter ourselves
     * @param contested whether someone may have entered for us who did not get to tell us: it holds our lock for a moment
     */
    public record TransactionSession(
            DatabaseTransaction own,
            SqlSession session,
            int handedOn,
            long borrowed,
            Optional<KeyLockResult> entered,
            boolean contested) {

        public static TransactionSession fromPool(DatabaseTransaction own, SqlSession session, long borrowed) {
            return new TransactionSession(own, session, 0, borrowed, Optional.empty(), false);
        }

        /** After the work was taken back; a transaction on another connection needs statements of its own. */
        TransactionSession startOver() throws SQLException {
            var next = own.rollbackAndRestart();
            var same = next.equals(own) ? session : session.on(next.connection());
            return new TransactionSession(next, same, handedOn, borrowed, Optional.empty(), false);
        }

        TransactionSession handOn(KeyLockResult found) {
            return new TransactionSession(own, session, handedOn + 1, borrowed, Optional.of(found), false);
        }

        private TransactionSession asContested() {
            return new TransactionSession(own, session, handedOn, borrowed, entered, true);
        }

        private boolean mayGoOnAt(long now) {
            return own.mayMove() && handedOn < HANDED_ON && now - borrowed < HANDED_ON_FOR.toNanos();
        }
    }

    /** Someone who waits for a passage, or to be sent to the pool. */
    public static final class Waiter {
        private final ClaimRequest request;
        private final long since;
        private volatile long takenAt;
        private final CompletableFuture<Optional<TransactionSession>> turn = new CompletableFuture<>();

        private Waiter(ClaimRequest request, long since) {
            this.request = request;
            this.since = since;
        }

        public ClaimRequest request() {
            return request;
        }

        private boolean wasTaken() {
            return takenAt != 0;
        }
    }

    /** Waits for its turn, as long as the pool lets anyone wait. */
    public TransactionSession take(ClaimRequest request) throws SQLException {
        if (!handsOn.getAsBoolean()) {
            return pool.begin();
        }
        var waiter = new Waiter(request, now());
        lock.lock();
        try {
            waiting.add(waiter);
            sendToPool();
        } finally {
            lock.unlock();
        }
        var passage = await(waiter);
        if (passage.isPresent()) {
            return passage.get();
        }
        var ours = fromPool();
        return waiter.wasTaken() ? ours.asContested() : ours;
    }

    /** Out of the pool at once, for one who neither takes what is handed on nor hands it on. */
    public TransactionSession beginDirectly() throws SQLException {
        return pool.begin();
    }

    /** The first who waits, if this connection may be handed on; to be {@link #pass passed} it, or given back. */
    public @Nullable Waiter next(TransactionSession passage) {
        if (!passage.mayGoOnAt(now())) {
            return null;
        }
        lock.lock();
        try {
            var next = nextToServe();
            if (next != null) {
                next.takenAt = now();
                taken.add(next);
            }
            return next;
        } finally {
            lock.unlock();
        }
    }

    /** Whoever came last: its thread and its data are still warm. Unless someone has waited for long, who goes first. */
    private @Nullable Waiter nextToServe() {
        var oldest = waiting.peekFirst();
        if (oldest == null) {
            return null;
        }
        boolean longAgo = now() - oldest.since > LONG_WAIT.toNanos();
        return longAgo ? waiting.pollFirst() : waiting.pollLast();
    }

    /** Whether it took it; if not, it did not wait so long, and the connection stays where it is. */
    public boolean pass(Waiter waiter, TransactionSession passage) {
        taken.remove(waiter);
        return waiter.turn.complete(Optional.of(passage));
    }

    /** Nothing came of it: the waiter is not made to stand in line again. */
    void giveBack(Waiter waiter) {
        lock.lock();
        try {
            taken.remove(waiter);
            sendToPool(waiter);
        } finally {
            lock.unlock();
        }
    }

    /** Whoever was taken out of the line before then waits for a commit that takes too long, and need not. */
    public void giveBackTakenBefore(long moment) {
        taken.stream().filter(waiter -> waiter.takenAt - moment < 0).forEach(this::giveBack);
    }

    private TransactionSession fromPool() throws SQLException {
        long begun = now();
        try {
            return pool.begin();
        } catch (SQLTransientConnectionException e) {
            if (!Thread.currentThread().isInterrupted()) {
                failAllSince(now() - begun, e);
            }
            throw e;
        } finally {
            lock.lock();
            try {
                inPool--;
                sendToPool();
            } finally {
                lock.unlock();
            }
        }
    }

    /** As many as stand for those who wait. */
    private void sendToPool() {
        while (!waiting.isEmpty() && (inPool < ALWAYS_IN_POOL || inPool * HANDED_ON < waiting.size())) {
            sendToPool(waiting.remove());
        }
    }

    private void sendToPool(Waiter waiter) {
        if (waiter.turn.complete(Optional.empty())) {
            inPool++;
        }
    }

    /** Whoever has waited here for as long as the pool lets anyone wait is told the same as the one who waited there. */
    private void failAllSince(long nanos, SQLException failure) {
        lock.lock();
        try {
            long now = now();
            waiting.removeIf(waiter -> now - waiter.since >= nanos && waiter.turn.completeExceptionally(failure));
        } finally {
            lock.unlock();
        }
    }

    private Optional<TransactionSession> await(Waiter waiter) throws SQLException {
        try {
            return waiter.turn.get();
        } catch (ExecutionException e) {
            throw new SQLException("No connection.", e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            var interrupted = new SQLException("Interrupted while waiting for a connection.", e);
            if (waiter.turn.completeExceptionally(interrupted)) {
                leave(waiter);
                throw interrupted;
            }
            // It came at the same moment, and must not be lost.
            return waiter.turn.join();
        }
    }

    private void leave(Waiter waiter) {
        lock.lock();
        try {
            waiting.remove(waiter);
        } finally {
            lock.unlock();
        }
    }
}
