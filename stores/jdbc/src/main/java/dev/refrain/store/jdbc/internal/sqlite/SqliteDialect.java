package dev.refrain.store.jdbc.internal.sqlite;

import dev.refrain.store.jdbc.internal.sql.Dialect;
import dev.refrain.store.jdbc.internal.sql.JdbcTimeouts;
import dev.refrain.store.jdbc.internal.sql.SqlErrorTranslator;
import dev.refrain.store.jdbc.internal.sql.SqlTextFiles;
import dev.refrain.store.jdbc.internal.sql.WriteLockRetry;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.sqlite.SQLiteConnection;

/** Dialect of SQLite 3.42 and later, in a file. */
public final class SqliteDialect implements Dialect {

    private static final int PAGES_PER_CHECKPOINT = 4_096;

    /** Overwrites what is deleted: otherwise its bytes stay in the file until the page is used again. */
    private static final String SECURE_DELETE = "PRAGMA secure_delete = ON";

    private final SqlErrorTranslator failures = new SqliteErrorTranslator();

    @Override
    public String name() {
        return "sqlite";
    }

    @Override
    public Set<String> productNames() {
        return Set.of("SQLite");
    }

    @Override
    public List<String> folders() {
        return List.of(name(), SqlTextFiles.UPSERT, SqlTextFiles.SHARED);
    }

    @Override
    public String transactionStart() {
        return "BEGIN IMMEDIATE";
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

    /** Returns SQLite's only level; each statement outside of a transaction still sees what was committed before it. */
    @Override
    public int dedicatedConnectionIsolation() {
        return Connection.TRANSACTION_SERIALIZABLE;
    }

    @Override
    public String roundTripPrefix(JdbcTimeouts timeouts) {
        return "";
    }

    /**
     * Sets WAL, so that readers and the writer do not block each other, and FULL, so that a commit survives a power failure. A
     * checkpoint copies a page once, however many commits wrote it, so it runs after 16 MB of them instead of 4.
     */
    @Override
    public List<String> dedicatedConnectionSettings(JdbcTimeouts timeouts) {
        return List.of(
                "PRAGMA busy_timeout = " + WriteLockRetry.NATIVE_WAIT.toMillis(),
                "PRAGMA journal_mode = WAL",
                "PRAGMA synchronous = FULL",
                SECURE_DELETE,
                "PRAGMA wal_autocheckpoint = " + PAGES_PER_CHECKPOINT);
    }

    /** Sets a short busy timeout: a transaction holds the only write lock, and waiters retry outside of SQLite. */
    @Override
    public List<String> transactionSettings(JdbcTimeouts timeouts) {
        return List.of(
                "PRAGMA busy_timeout = " + WriteLockRetry.NATIVE_WAIT.toMillis(),
                "PRAGMA synchronous = FULL",
                SECURE_DELETE);
    }

    @Override
    public List<String> settingsToRestore(Connection connection) throws SQLException {
        var settings = new ArrayList<String>();
        for (String name : List.of("busy_timeout", "synchronous", "secure_delete")) {
            try (var statement = connection.createStatement();
                    var value = statement.executeQuery("PRAGMA " + name)) {
                if (value.next()) {
                    settings.add("PRAGMA " + name + " = " + value.getInt(1));
                }
            }
        }
        return settings;
    }

    /**
     * Returns true: the driver's commit begins the next transaction at once, with the write lock if it is configured to begin so.
     */
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

    /** Does nothing: the database is in this process, and no reply of it is lost. */
    @Override
    public void abort(Connection connection) {}

    @Override
    public void cancelStatement(Connection connection) {
        try {
            connection.unwrap(SQLiteConnection.class).getDatabase().interrupt();
        } catch (SQLException | RuntimeException e) {
            // Closed.
        }
    }

    @Override
    public boolean supportsNotifications() {
        return false;
    }
}
