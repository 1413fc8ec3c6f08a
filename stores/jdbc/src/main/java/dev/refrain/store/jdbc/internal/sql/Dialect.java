package dev.refrain.store.jdbc.internal.sql;

import dev.refrain.store.jdbc.internal.connection.DedicatedConnection;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/** What there is to know about a database. It describes and runs nothing: {@link SqlSession} and {@link DedicatedConnection} ask it. */
public interface Dialect {

    /** What users and files call it. */
    String name();

    /** As the product calls itself in its metadata. */
    String productName();

    SqlErrorTranslator failures();

    /** Whether one statement takes a whole batch as arrays; else its rows are asked one by one in one transaction. */
    boolean bindsArrays();

    /**
     * Whether a claim that finds everything there writes nothing; else it is worth reading before taking a write lock.
     */
    boolean claimsInOneStatement();

    /** Whether many can write at a time; else all lanes that write are one. */
    boolean hasConcurrentWriters();

    /** The isolation at which each statement of a lane sees what was committed before it. */
    int dedicatedConnectionIsolation();

    /** What a round trip on a lane begins with; empty for nothing. */
    String roundTripPrefix(JdbcTimeouts timeouts);

    /** What is set once for each connection of a lane. */
    List<String> dedicatedConnectionSettings(JdbcTimeouts timeouts);

    /** What is set on a connection before it begins a transaction of ours. */
    List<String> transactionSettings(JdbcTimeouts timeouts);

    /** What makes those settings as they were, so that a connection goes back to its pool as it came. */
    List<String> settingsToRestore(Connection connection) throws SQLException;

    /** Whether turning auto-commit on is the way to commit: where committing at once begins, and locks, anew. */
    boolean commitsByAutoCommit();

    /** Whether a statement that fails may take its whole transaction back, after which the next one commits by itself. */
    boolean mayRollBackOnError();

    /** Whether the last writes of a transaction can go out with its commit in one round trip. */
    boolean commitsInPipeline();

    /** Whether a commit can wake those who wait for it; else they look at the database's file. */
    boolean supportsNotifications();

    default String quoted(String identifier) {
        return '"' + identifier.replace("\"", "\"\"") + '"';
    }
}
