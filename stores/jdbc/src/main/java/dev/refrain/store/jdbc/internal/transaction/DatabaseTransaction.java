package dev.refrain.store.jdbc.internal.transaction;

import java.sql.Connection;
import java.sql.SQLException;

/** A transaction that was begun for one run, and is committed or taken back with it. */
public interface DatabaseTransaction {

    Connection connection();

    /** Whether it can only be taken back, as the work has decided. */
    boolean doomed();

    /** Takes everything back and goes on in a new transaction, perhaps on another connection. */
    DatabaseTransaction rollbackAndRestart() throws SQLException;

    /** Whether the commit can go out with the last writes, in one round trip: then this is told that it {@link #markCommitted}. */
    boolean commitsInPipeline();

    void markCommitted();

    /** Whether it can end on another thread than it began on, with another run in it. */
    boolean mayMove();

    /** From here on it is no longer this thread's; nothing was taken back. */
    default void leave() {}

    /** It is this thread's now. */
    default void arrive() {}

    /** Makes what guards the connection that which this thread's work gets, where the work does not ask us for one. */
    default void exposeConnection(Connection guard) {}

    void commit() throws SQLException;

    /** Takes back what was not committed, and gives back what was taken. Never fails. */
    void rollbackAndRelease();
}
