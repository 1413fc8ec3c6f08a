package dev.refrain.store.jdbc.internal.transaction;

import dev.refrain.store.jdbc.internal.transaction.ConnectionWaitQueue.TransactionSession;
import dev.refrain.store.jdbc.internal.transaction.ConnectionWaitQueue.TransactionStarter;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;
import javax.sql.DataSource;

/**
 * Waits for a connection so that an interrupt ends the wait, whatever the pool does meanwhile.
 *
 * <p>A pool that validates an idle connection reads from the network, for seconds if that is silent, and no interrupt reaches a platform
 * thread there. So a virtual thread borrows the connection, whose read an interrupt ends, and the caller only waits for it. What arrives
 * after the caller gave up is returned to the pool. Thread-safe.
 */
final class InterruptibleBorrow {

    /** What may wait for a connection. */
    @FunctionalInterface
    private interface Borrowing<T> {
        T borrow() throws SQLException;
    }

    private InterruptibleBorrow() {}

    /**
     * Begins a transaction and binds it to this thread.
     *
     * @param pool may be called on another thread; what it begins can move
     * @throws SQLException if it fails, or if this thread is interrupted, which it still is then
     */
    static TransactionSession begin(TransactionStarter pool) throws SQLException {
        if (!needsAnotherThread()) {
            return pool.begin();
        }
        var begun = await(
                () -> {
                    var session = pool.begin();
                    session.own().leave();
                    return session;
                },
                late -> {
                    late.own().arrive();
                    late.own().rollbackAndRelease();
                });
        begun.own().arrive();
        return begun;
    }

    /**
     * Borrows a connection and returns it: the pool has one, and the database answers.
     *
     * @throws SQLException if it has none, or if this thread is interrupted, which it still is then
     */
    static void probe(DataSource pool) throws SQLException {
        if (needsAnotherThread()) {
            await(() -> borrowAndReturn(pool), returned -> {});
        }
    }

    /**
     * Borrows a connection.
     *
     * @throws SQLException if the pool has none, or if this thread is interrupted, which it still is then
     */
    static Connection connection(DataSource pool) throws SQLException {
        return needsAnotherThread()
                ? await(pool::getConnection, InterruptibleBorrow::returnToPool)
                : pool.getConnection();
    }

    /** An interrupt reaches a virtual thread everywhere; who is interrupted already takes what the pool has at hand. */
    private static boolean needsAnotherThread() {
        return !Thread.currentThread().isVirtual() && !Thread.currentThread().isInterrupted();
    }

    private static boolean borrowAndReturn(DataSource pool) throws SQLException {
        pool.getConnection().close();
        return true;
    }

    private static void returnToPool(Connection late) {
        try {
            late.close();
        } catch (SQLException e) {
            // It is broken, and the pool discards it.
        }
    }

    private static <T> T await(Borrowing<T> borrowing, Consumer<T> tooLate) throws SQLException {
        var arrival = new CompletableFuture<T>();
        var borrower = Thread.ofVirtual().name("refrain-borrow").start(() -> {
            try {
                T borrowed = borrowing.borrow();
                if (!arrival.complete(borrowed)) {
                    tooLate.accept(borrowed);
                }
            } catch (Throwable e) {
                arrival.completeExceptionally(e);
            }
        });
        try {
            return arrival.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            if (arrival.cancel(false)) {
                borrower.interrupt();
                throw new SQLException("Interrupted while waiting for a connection.", e);
            }
            // It came at the same moment and must not be lost.
            return settled(arrival);
        } catch (ExecutionException e) {
            throw failure(arrival.exceptionNow());
        }
    }

    private static <T> T settled(CompletableFuture<T> arrival) throws SQLException {
        if (arrival.isCompletedExceptionally()) {
            throw failure(arrival.exceptionNow());
        }
        return arrival.resultNow();
    }

    /** Throws on the caller's thread what was thrown on the other one. */
    private static SQLException failure(Throwable cause) {
        return switch (cause) {
            case SQLException sql -> sql;
            case RuntimeException runtime -> throw runtime;
            case Error error -> throw error;
            default -> new SQLException("Waiting for a connection failed.", cause);
        };
    }
}
