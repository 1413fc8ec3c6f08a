package dev.refrain.store.jdbc.internal.transaction;

import dev.refrain.store.jdbc.internal.connection.BorrowThread;
import dev.refrain.store.jdbc.internal.connection.BorrowThread.ConnectionBorrow;
import dev.refrain.store.jdbc.internal.transaction.ConnectionWaitQueue.TransactionSession;
import dev.refrain.store.jdbc.internal.transaction.ConnectionWaitQueue.TransactionStarter;
import java.sql.Connection;
import java.sql.SQLException;
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
        return needsAnotherThread() ? await(pool::getConnection, BorrowThread::returnToPool) : pool.getConnection();
    }

    /** An interrupt reaches a virtual thread everywhere; who is interrupted already takes what the pool has at hand. */
    private static boolean needsAnotherThread() {
        return !Thread.currentThread().isVirtual() && !Thread.currentThread().isInterrupted();
    }

    private static boolean borrowAndReturn(DataSource pool) throws SQLException {
        pool.getConnection().close();
        return true;
    }

    private static <T> T await(ConnectionBorrow<T> borrow, Consumer<T> tooLate) throws SQLException {
        return BorrowThread.await(Thread.ofVirtual().name("refrain-borrow"), borrow, tooLate);
    }
}
