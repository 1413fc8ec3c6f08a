package dev.refrain.store.jdbc;

import dev.refrain.store.ClaimRequest;
import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Where transactions of our own wait for a connection: in front of the application's pool, with only a few of them in
 * the pool's own line.
 *
 * <p>Whoever commits hands the connection on to the first who waits here, and enters for it in the same round trip. Under
 * load a protected transaction then takes no more round trips than an unprotected one. A connection is handed on a few
 * times and goes back to its pool, and each place in the pool's line stands for as many callers here: nobody else who
 * uses the pool waits longer than if all of ours stood there.
 *
 * <p>Safe for use by many threads.
 */
final class Line {

    private static final int HANDED_ON = 32;
    private static final int ALWAYS_IN_POOL = 4;

    /** Takes a connection out of the pool and begins. */
    @FunctionalInterface
    interface Pool {
        Passage begin() throws SQLException;
    }

    private final Pool pool;
    private final ReentrantLock lock = new ReentrantLock();
    private final ArrayDeque<Waiter> waiting = new ArrayDeque<>();
    private int inPool;

    Line(Pool pool) {
        this.pool = pool;
    }

    /**
     * A transaction that has begun.
     *
     * @param handedOn how often its connection was
     * @param entered what the one who handed it on found for us; absent if we have to enter ourselves
     */
    record Passage(Borrowed own, Session session, int handedOn, Optional<Entered> entered) {

        Passage handOn(Entered found) {
            return new Passage(own, session, handedOn + 1, Optional.of(found));
        }
    }

    /** Someone who waits for a passage, or to be sent to the pool. */
    static final class Waiter {
        private final ClaimRequest request;
        private final long since = System.nanoTime();
        private final CompletableFuture<Optional<Passage>> turn = new CompletableFuture<>();

        private Waiter(ClaimRequest request) {
            this.request = request;
        }

        ClaimRequest request() {
            return request;
        }

        void pass(Passage passage) {
            turn.complete(Optional.of(passage));
        }
    }

    /** Waits for its turn, as long as the pool lets anyone wait. */
    Passage take(ClaimRequest request) throws SQLException {
        var waiter = new Waiter(request);
        lock.lock();
        try {
            waiting.add(waiter);
            sendToPool();
        } finally {
            lock.unlock();
        }
        var passage = await(waiter);
        return passage.isPresent() ? passage.get() : fromPool();
    }

    /** The first who waits, if this connection may be handed on; to be {@link Waiter#pass passed} or given back. */
    @Nullable
    Waiter next(Passage passage) {
        if (passage.handedOn() >= HANDED_ON) {
            return null;
        }
        lock.lock();
        try {
            return waiting.poll();
        } finally {
            lock.unlock();
        }
    }

    /** Nothing came of it: the waiter is not made to stand in line again. */
    void giveBack(Waiter waiter) {
        lock.lock();
        try {
            inPool++;
            waiter.turn.complete(Optional.empty());
        } finally {
            lock.unlock();
        }
    }

    private Passage fromPool() throws SQLException {
        long begun = System.nanoTime();
        try {
            return pool.begin();
        } catch (SQLException e) {
            failAllSince(System.nanoTime() - begun, e);
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
            inPool++;
            waiting.remove().turn.complete(Optional.empty());
        }
    }

    /** Whoever has waited here for as long as the pool lets anyone wait is told the same as the one who waited there. */
    private void failAllSince(long nanos, SQLException failure) {
        lock.lock();
        try {
            long now = System.nanoTime();
            waiting.removeIf(waiter -> now - waiter.since >= nanos && waiter.turn.completeExceptionally(failure));
        } finally {
            lock.unlock();
        }
    }

    private Optional<Passage> await(Waiter waiter) throws SQLException {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return waiter.turn.get();
                } catch (InterruptedException e) {
                    interrupted = true;
                    if (leave(waiter)) {
                        throw new SQLException("Interrupted while waiting for a connection.", e);
                    }
                    // Someone is about to pass it a connection, which must not be lost.
                } catch (ExecutionException e) {
                    throw new SQLException("No connection.", e.getCause());
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private boolean leave(Waiter waiter) {
        lock.lock();
        try {
            return waiting.remove(waiter);
        } finally {
            lock.unlock();
        }
    }
}
