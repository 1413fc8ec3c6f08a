package dev.refrain.store.jdbc.spi;

import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;

/**
 * Source of transactions that something else manages, such as a framework's transaction manager. They are on the store's own
 * database, and end on the thread they begin on, unless they {@link ExternalTransaction#canChangeThread may move}.
 */
@FunctionalInterface
public interface TransactionSource {

    ExternalTransaction begin() throws SQLException;

    /**
     * Returns true if this thread is already inside a transaction. It then holds a connection for which others may wait, and must
     * not queue behind them for a second one.
     */
    default boolean isInTransaction() {
        return false;
    }

    /**
     * Returns true if this thread accepts a transaction that began on another thread, once the run in it is committed. Under load
     * that saves a round trip per run.
     */
    default boolean acceptsMovedTransaction() {
        return false;
    }

    /**
     * Returns true if this thread may have its transaction begun by another one, which then {@link ExternalTransaction#unbindFromThread
     * unbinds} it there, and this thread {@link ExternalTransaction#bindToThread binds} it here. The wait for a connection can then be ended
     * even while the pool validates one on a silent network.
     */
    default boolean canBeginOnAnotherThread() {
        return acceptsMovedTransaction();
    }

    /**
     * Returns true if {@link #begin(ConnectionBorrower)} gets its connection from the borrower. For transactions that can begin on the
     * caller's own thread only, it is what ends the wait for a connection in time.
     */
    default boolean usesBorrower() {
        return false;
    }

    /**
     * Begins a transaction on this thread with a connection that the borrower gets from the pool. Called only if it {@link #usesBorrower
     * uses} one.
     */
    default ExternalTransaction begin(ConnectionBorrower borrower) throws SQLException {
        return begin();
    }

    /**
     * Runs an action after the commit of the transaction that is open on this connection and this thread, on any thread and without blocking
     * it.
     *
     * @return false if this source does not learn of that commit; the action is not run then
     */
    default boolean runAfterCommit(Connection connection, Runnable action) {
        return false;
    }

    /** Gets a connection from a pool, possibly on another thread, so that an interrupt of the caller ends the wait whatever the pool does. */
    @FunctionalInterface
    interface ConnectionBorrower {

        /** @throws SQLException if the pool has none, or if this thread is interrupted, which it still is then */
        Connection borrow(DataSource pool) throws SQLException;
    }

    /** Transaction that has begun. It ends once, by {@link #commit} or {@link #rollback}. */
    interface ExternalTransaction {

        /** Returns its connection, with auto-commit off. */
        Connection connection();

        /** Returns true if a participant marked it rollback-only. */
        boolean isRollbackOnly();

        /**
         * Returns true if a COMMIT may be sent in SQL together with the last write, which saves a round trip; {@link #commit} is
         * still called and finds nothing left to do. Return false if anything must happen in the transaction before it commits.
         */
        default boolean allowsCommitInSql() {
            return false;
        }

        /**
         * Returns true if, once committed in SQL, it can continue with another run on another thread that {@link
         * #acceptsMovedTransaction}.
         */
        default boolean canChangeThread() {
            return false;
        }

        /** Unbinds it from this thread. */
        default void unbindFromThread() {
            throw new UnsupportedOperationException(
                    "This transaction cannot move between threads. Override unbindFromThread and bindToThread if canChangeThread returns true.");
        }

        /** Binds it to this thread until it ends. */
        default void bindToThread() {
            throw new UnsupportedOperationException(
                    "This transaction cannot move between threads. Override unbindFromThread and bindToThread if canChangeThread returns true.");
        }

        /**
         * Exposes a guarded connection to code on this thread instead of the connection itself, if possible. Required for
         * transactions that may move; otherwise changes of one run to the connection would reach the next.
         */
        default void exposeConnection(Connection guard) {}

        /**
         * Commits.
         *
         * @throws SQLException the database's error; unless it is known to have failed, the commit may have taken effect
         */
        void commit() throws SQLException;

        /**
         * Commits, and reports the moment from which only the database's COMMIT is left. Until then the rest of the operation's maximum run
         * time is allowed, because a manager may still do work in its commit, such as flushing entities; from then on only the patience of
         * the operation. Where the moment is unknown and never reported, the whole commit counts as work.
         *
         * @param workIsOver called at most once, on this thread; it returns at once
         * @throws SQLException as from {@link #commit()}
         */
        default void commit(Runnable workIsOver) throws SQLException {
            commit();
        }

        void rollback() throws SQLException;
    }
}
