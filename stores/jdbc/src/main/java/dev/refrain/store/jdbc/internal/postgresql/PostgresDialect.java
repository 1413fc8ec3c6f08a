package dev.refrain.store.jdbc.internal.postgresql;

import dev.refrain.store.jdbc.internal.sql.Dialect;
import dev.refrain.store.jdbc.internal.sql.JdbcTimeouts;
import dev.refrain.store.jdbc.internal.sql.SqlErrorTranslator;
import dev.refrain.store.jdbc.internal.sql.SqlTextFiles;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;
import org.postgresql.PGConnection;

/** Dialect of PostgreSQL 15 and later. */
public final class PostgresDialect implements Dialect {

    private final SqlErrorTranslator failures = new PostgresErrorTranslator();

    @Override
    public String name() {
        return "postgresql";
    }

    @Override
    public Set<String> productNames() {
        return Set.of("PostgreSQL");
    }

    @Override
    public List<String> folders() {
        return List.of(name(), SqlTextFiles.UPSERT, SqlTextFiles.SHARED);
    }

    @Override
    public String transactionStart() {
        return "BEGIN";
    }

    @Override
    public SqlErrorTranslator failures() {
        return failures;
    }

    @Override
    public boolean bindsArrays() {
        return true;
    }

    @Override
    public boolean claimsInOneStatement() {
        return true;
    }

    @Override
    public boolean hasConcurrentWriters() {
        return true;
    }

    @Override
    public int dedicatedConnectionIsolation() {
        return Connection.TRANSACTION_READ_COMMITTED;
    }

    /**
     * Returns settings for one round trip, which end with it, because session settings do not survive PgBouncer in transaction
     * mode. A batch joins an array with a table: while the table is small the planner would prefer a sequential scan, and keep
     * that plan when it has grown.
     */
    @Override
    public String roundTripPrefix(JdbcTimeouts timeouts) {
        return "SELECT set_config('lock_timeout', '" + timeouts.lock().toMillis() + "', true), "
                + "set_config('statement_timeout', '" + timeouts.statement().toMillis() + "', true), "
                + "set_config('enable_seqscan', 'off', true), "
                + "set_config('plan_cache_mode', 'force_generic_plan', true)";
    }

    @Override
    public List<String> dedicatedConnectionSettings(JdbcTimeouts timeouts) {
        return List.of();
    }

    @Override
    public List<String> settingsToRestore(Connection connection) {
        return List.of();
    }

    @Override
    public List<String> transactionSettings(JdbcTimeouts timeouts) {
        return List.of();
    }

    @Override
    public boolean commitsByAutoCommit() {
        return false;
    }

    /** Returns false: after a failure a transaction accepts nothing more until it is rolled back. */
    @Override
    public boolean mayRollBackOnError() {
        return false;
    }

    /** Returns the schema of the search path that has the tables, or else the first one. */
    @Override
    public String placeOfTables(Connection connection) throws SQLException {
        try (var statement = connection.createStatement();
                var row = statement.executeQuery("SELECT coalesce((SELECT n.nspname FROM pg_class c"
                        + " JOIN pg_namespace n ON n.oid = c.relnamespace WHERE c.oid = to_regclass('refrain_meta')),"
                        + " current_schema(), '')")) {
            row.next();
            return row.getString(1);
        }
    }

    @Override
    public boolean commitsInPipeline() {
        return true;
    }

    @Override
    public void abort(Connection connection) {
        try {
            connection.abort(Runnable::run);
        } catch (SQLException | RuntimeException e) {
            // Already closed, and its reader knows.
        }
    }

    /** Asks the server on a connection of its own: a server that is busy with a statement does not notice that its client has gone. */
    @Override
    public void cancelStatement(Connection connection) {
        try {
            connection.unwrap(PGConnection.class).cancelQuery();
        } catch (SQLException | RuntimeException e) {
            // The server is out of reach, or the connection is closed.
        }
    }

    @Override
    public boolean supportsNotifications() {
        return true;
    }
}
