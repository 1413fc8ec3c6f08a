package dev.refrain.store.jdbc.internal.sql;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/** Properties of one kind of database: settings and capabilities, no statements. Sessions and connections apply them. */
public interface Dialect {

    /** Returns the name in settings and resource paths. */
    String name();

    /** Returns the product name in the database's metadata. */
    String productName();

    SqlErrorTranslator failures();

    /** Returns true if one statement takes a whole batch as arrays; otherwise rows run one by one in one transaction. */
    boolean bindsArrays();

    /** Returns true if a claim that finds all its records writes nothing; otherwise reading first saves a write lock. */
    boolean claimsInOneStatement();

    /** Returns true if the database has concurrent writers; otherwise all writers share one connection. */
    boolean hasConcurrentWriters();

    /** Returns the isolation level at which each statement sees what was committed before it. */
    int dedicatedConnectionIsolation();

    /** Returns the SQL with which a round trip on a dedicated connection begins; empty for none. */
    String roundTripPrefix(JdbcTimeouts timeouts);

    /** Returns settings of each dedicated connection, applied once. */
    List<String> dedicatedConnectionSettings(JdbcTimeouts timeouts);

    /** Returns settings of a connection before it begins a transaction of ours. */
    List<String> transactionSettings(JdbcTimeouts timeouts);

    /** Returns the statements that restore those settings, so that a connection returns to its pool unchanged. */
    List<String> settingsToRestore(Connection connection) throws SQLException;

    /**
     * Returns true if turning auto-commit on is the way to commit, because a plain commit begins, and locks, a new transaction at
     * once.
     */
    boolean commitsByAutoCommit();

    /** Returns true if a failing statement may roll back its whole transaction, after which the next one commits by itself. */
    boolean mayRollBackOnError();

    /** Returns true if the last writes of a transaction can be sent with its commit in one round trip. */
    boolean commitsInPipeline();

    /** Breaks a connection off, from another thread than the one that waits for its reply; its transaction is rolled back. Never throws. */
    void abort(Connection connection);

    /** Cancels the statement that runs on a connection, from another thread. Never throws. */
    void cancelStatement(Connection connection);

    /** Returns true if a commit can notify listeners; otherwise they watch the database's file. */
    boolean supportsNotifications();

    default String quoted(String identifier) {
        return '"' + identifier.replace("\"", "\"\"") + '"';
    }
}
