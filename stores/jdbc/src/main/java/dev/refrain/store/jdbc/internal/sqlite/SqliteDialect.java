package dev.refrain.store.jdbc.internal.sqlite;

import dev.refrain.store.jdbc.internal.sql.Dialect;
import dev.refrain.store.jdbc.internal.sql.JdbcTimeouts;
import dev.refrain.store.jdbc.internal.sql.SqlErrorTranslator;
import dev.refrain.store.jdbc.internal.sql.WriteLockRetry;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** SQLite 3.42 and later, in a file. */
public final class SqliteDialect implements Dialect {

    private static final int PAGES_PER_CHECKPOINT = 4_096;

    private final SqlErrorTranslator failures = new SqliteErrorTranslator();

    @Override
    public String name() {
        return "sqlite";
    }

    @Override
    public String productName() {
        return "SQLite";
    }

    @Override
    public SqlErrorTranslator failures() {
        return failures;
    }

    @Override
    public boolean bindsArrays() {
        return false;
    }

    @Override
    public boolean claimsInOneStatement() {
        return false;
    }

    @Override
    public boolean hasConcurrentWriters() {
        return false;
    }

    /** The only one it has; each statement outside of a transaction still sees what was committed before it. */
    @Override
    public int dedicatedConnectionIsolation() {
        return Connection.TRANSACTION_SERIALIZABLE;
    }

    @Override
    public String roundTripPrefix(JdbcTimeouts timeouts) {
        return "";
    }

    /**
     * WAL lets readers and the writer pass each other; FULL makes a commit outlive a power cut. A checkpoint copies a page
     * once, however many commits wrote it, so it comes after 16 MB of them instead of 4.
     */
    @Override
    public List<String> dedicatedConnectionSettings(JdbcTimeouts timeouts) {
        return List.of(
                "PRAGMA busy_timeout = " + WriteLockRetry.NATIVE_WAIT.toMillis(),
                "PRAGMA journal_mode = WAL",
                "PRAGMA synchronous = FULL",
                "PRAGMA wal_autocheckpoint = " + PAGES_PER_CHECKPOINT);
    }

    /** A transaction holds the one write lock: whoever waits for it does so briefly, and comes back later. */
    @Override
    public List<String> transactionSettings(JdbcTimeouts timeouts) {
        return List.of("PRAGMA busy_timeout = " + WriteLockRetry.NATIVE_WAIT.toMillis(), "PRAGMA synchronous = FULL");
    }

    @Override
    public List<String> settingsToRestore(Connection connection) throws SQLException {
        var settings = new ArrayList<String>();
        for (String name : List.of("busy_timeout", "synchronous")) {
            try (var statement = connection.createStatement();
                    var value = statement.executeQuery("PRAGMA " + name)) {
                if (value.next()) {
                    settings.add("PRAGMA " + name + " = " + value.getInt(1));
                }
            }
        }
        return settings;
    }

    /** The driver's commit begins the next transaction at once, with the write lock if it is told to begin so. */
    @Override
    public boolean commitsByAutoCommit() {
        return true;
    }

    @Override
    public boolean mayRollBackOnError() {
        return true;
    }

    @Override
    public boolean commitsInPipeline() {
        return false;
    }

    @Override
    public boolean supportsNotifications() {
        return false;
    }
}
