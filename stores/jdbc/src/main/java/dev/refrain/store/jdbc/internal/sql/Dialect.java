package dev.refrain.store.jdbc.internal.sql;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;

/** Properties of one kind of database: settings and capabilities, no statements. Sessions and connections apply them. */
public interface Dialect {

    /** Returns the name in settings and resource paths. */
    String name();

    /** Returns the product names in the metadata of databases that speak it. */
    Set<String> productNames();

    /** Returns the folders of its SQL texts, its own first; a text is taken from the first that has it. */
    List<String> folders();

    SqlErrorTranslator failures();

    /** Returns true if one statement takes a whole batch as arrays; otherwise rows run one by one in one transaction. */
    boolean bindsArrays();

    /** Returns true if one statement takes a whole batch as one JSON text; see {@link JsonBatch}. */
    default boolean bindsJson() {
        return false;
    }

    /** Returns the statement that begins a transaction on a connection that commits each statement by itself. */
    String transactionStart();

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

    /** Returns the statements that undo {@link #dedicatedConnectionSettings}, where those stay with the connection. */
    default List<String> dedicatedSettingsToRestore(Connection connection) throws SQLException {
        return List.of();
    }

    /** Returns true if a failing statement may roll back its whole transaction, after which the next one commits by itself. */
    boolean mayRollBackOnError();

    /** Returns true if cancelling a statement may end its whole transaction too. */
    default boolean mayRollBackOnCancel() {
        return mayRollBackOnError();
    }

    /** Returns true if a key's lock belongs to the connection and outlives its transaction, so that it has to be given back. */
    default boolean keyLocksOutliveTransactions() {
        return false;
    }

    /** Returns true if a commit that fails because of a conflict may have taken effect elsewhere: only reading tells. */
    default boolean commitMayBeIndeterminate() {
        return false;
    }

    /** Returns true if each statement that changes the schema commits by itself. */
    default boolean commitsSchemaChanges() {
        return false;
    }

    /**
     * Returns the schema, or the database where it has none within, in which this connection finds Refrain's tables or would make them;
     * empty if names need none.
     */
    default String placeOfTables(Connection connection) throws SQLException {
        return "";
    }

    /** Returns the version with which this database's tables began. */
    default int firstSchemaVersion() {
        return 1;
    }

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
