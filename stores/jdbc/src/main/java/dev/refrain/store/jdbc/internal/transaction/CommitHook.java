package dev.refrain.store.jdbc.internal.transaction;

import dev.refrain.store.jdbc.spi.TransactionSource;
import java.sql.Connection;

/** Learns of the commits of transactions, as far as they are ours or those of a manager that tells. */
@FunctionalInterface
public interface CommitHook {

    /** Learns of the commits of our own transactions. */
    CommitHook OWN = GuardedConnection::runAfterCommit;

    /**
     * Runs an action after the commit of the transaction that is open on this connection.
     *
     * @return false if that cannot be learned of; the action is not run then
     */
    boolean runAfterCommit(Connection connection, Runnable action);

    /** Returns a hook that learns of the commits of a manager's transactions too. */
    static CommitHook of(TransactionSource source) {
        return (connection, action) ->
                OWN.runAfterCommit(connection, action) || source.runAfterCommit(connection, action);
    }
}
