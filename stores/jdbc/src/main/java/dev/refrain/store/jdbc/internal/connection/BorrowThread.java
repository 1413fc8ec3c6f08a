package dev.refrain.store.jdbc.internal.connection;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;

/** Borrows connections on a thread other than the caller's, so that an interrupt ends the caller's wait whatever the pool does meanwhile. */
public final class BorrowThread {

    /** What may wait for a connection. */
    @FunctionalInterface
    public interface ConnectionBorrow<T> {
        T borrow() throws SQLException;
    }

    private BorrowThread() {}

    /**
     * Waits for what is borrowed on a thread of its own.
     *
     * @param tooLate is given what arrives after the caller was interrupted
     * @throws SQLException if it fails, or if the caller is interrupted, which it still is then
     */
    public static <T> T await(Thread.Builder thread, ConnectionBorrow<T> borrow, Consumer<T> tooLate)
            throws SQLException {
        var arrival = new CompletableFuture<T>();
        var borrower = thread.start(() -> {
            try {
                T borrowed = borrow.borrow();
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

    /** Returns a connection that came too late. */
    public static void returnToPool(Connection late) {
        try {
            late.close();
        } catch (SQLException e) {
            // It is broken, and the pool discards it.
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
