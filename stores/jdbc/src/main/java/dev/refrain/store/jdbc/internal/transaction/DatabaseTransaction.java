package dev.refrain.store.jdbc.internal.transaction;

import java.sql.Connection;
import java.sql.SQLException;

/** Transaction that was begun for one run and is committed or rolled back with it. */
public interface DatabaseTransaction {

    Connection connection();

    /** Returns true if the work marked it rollback-only. */
    boolean doomed();

    /** Rolls back, to continue by {@link #restart}. */
    void rollbackForRestart() throws SQLException;

    /** Begins a new transaction after a rollback, perhaps on another connection, for which it may wait. */
    DatabaseTransaction restart() throws SQLException;

    /** Returns true if the commit can be sent with the last writes in one round trip; {@link #markCommitted} is called then. */
    boolean commitsInPipeline();

    void markCommitted();

    /** Returns true if it can end on another thread than it began on, with another run in it. */
    boolean mayMove();

    /** Unbinds it from this thread, without rolling back. */
    default void leave() {}

    /** Binds it to this thread. */
    default void arrive() {}

    /** Exposes the guarded connection to this thread's work, where the work does not get one from us. */
    default void exposeConnection(Connection guard) {}

    /** Returns true if the work reaches the connection only through the guarded one that it gets from us. */
    boolean isReachedByGuardOnly();

    void commit() throws SQLException;

    /**
     * Commits.
     *
     * @param workIsOver called where only the COMMIT itself is left, if that moment is known
     */
    default void commit(Runnable workIsOver) throws SQLException {
        workIsOver.run();
        commit();
    }

    /** Returns true if its commit and its rollback already give the connection back to its pool, to the next user. */
    boolean isReleasedByItsEnd();

    /** Rolls back what was not committed and restores the connection's settings. Never throws. */
    void rollbackAndRestore();

    /** Gives the connection back to its pool, after {@link #rollbackAndRestore}. Never throws. */
    void release();

    /** Rolls back what was not committed and releases all resources. Never throws. */
    default void rollbackAndRelease() {
        rollbackAndRestore();
        release();
    }
}
