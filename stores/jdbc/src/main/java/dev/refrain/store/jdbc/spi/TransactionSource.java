package dev.refrain.store.jdbc.spi;

import java.sql.Connection;
import java.sql.SQLException;

/**
 * Where transactions come from that something else manages, a framework's transaction manager for example. They are on the
 * store's own database, and end on the thread they begin on, unless they {@link ExternalTransaction#canChangeThread may move}.
 */
@FunctionalInterface
public interface TransactionSource {

    ExternalTransaction begin() throws SQLException;

    /**
     * Whether this thread could as well be given a transaction that began on another, once the run in it is committed. Under load
     * that saves a round trip for each run.
     */
    default boolean acceptsMovedTransaction() {
        return false;
    }

    /** A transaction that has begun. It ends once, by one of two. */
    interface ExternalTransaction {

        /** The connection it is on, in which there is no auto-commit. */
        Connection connection();

        /** Whether something that takes part in it has decided that it can only be rolled back. */
        boolean isRollbackOnly();

        /**
         * Whether a COMMIT may go out in SQL together with the last write, so that {@link #commit}, which is called all the same,
         * finds nothing left to do: it saves a round trip. Not where anything is to happen in the transaction before it commits.
         */
        default boolean allowsCommitInSql() {
            return false;
        }

        /** Whether, once committed in SQL, it can go on with another run on another thread that {@link #acceptsMovedTransaction}. */
        default boolean canChangeThread() {
            return false;
        }

        /** Takes it off this thread, as it is. */
        default void unbindFromThread() {
            throw new UnsupportedOperationException("It may not move.");
        }

        /** Puts it on this thread, which others use from here on until it ends. */
        default void bindToThread() {
            throw new UnsupportedOperationException("It may not move.");
        }

        /**
         * Gives what runs on this thread a guard of the connection instead of the connection itself, if that can be done. What may
         * move has to, or what one run did to the connection would reach the next.
         */
        default void exposeConnection(Connection guard) {}

        /** @throws SQLException as the database said it; what is not known to have failed may have been committed */
        void commit() throws SQLException;

        void rollback() throws SQLException;
    }
}
