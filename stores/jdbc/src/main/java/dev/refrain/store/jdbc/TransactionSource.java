package dev.refrain.store.jdbc;

import java.sql.Connection;
import java.sql.SQLException;

/**
 * Where transactions come from that something else manages, a framework's transaction manager for example. They are on the
 * store's own database, and end on the thread they begin on.
 */
@FunctionalInterface
public interface TransactionSource {

    Open begin() throws SQLException;

    /** A transaction that has begun. It ends once, by one of two. */
    interface Open {

        /** The connection it is on, in which there is no auto-commit. */
        Connection connection();

        /** Whether something that takes part in it has decided that it can only be rolled back. */
        boolean doomed();

        /**
         * Whether a COMMIT may go out in SQL together with the last write, so that {@link #commit}, which is called all the same,
         * finds nothing left to do: it saves a round trip. Not where anything is to happen in the transaction before it commits.
         */
        default boolean mayCommitInSql() {
            return false;
        }

        /** @throws SQLException as the database said it; what is not known to have failed may have been committed */
        void commit() throws SQLException;

        void rollback() throws SQLException;
    }
}
