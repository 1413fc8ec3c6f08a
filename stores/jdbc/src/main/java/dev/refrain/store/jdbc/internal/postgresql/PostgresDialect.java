package dev.refrain.store.jdbc.internal.postgresql;

import dev.refrain.store.jdbc.internal.sql.Dialect;
import dev.refrain.store.jdbc.internal.sql.JdbcTimeouts;
import dev.refrain.store.jdbc.internal.sql.SqlErrorTranslator;
import java.sql.Connection;
import java.util.List;

/** PostgreSQL 15 and later. */
public final class PostgresDialect implements Dialect {

    private final SqlErrorTranslator failures = new PostgresErrorTranslator();

    @Override
    public String name() {
        return "postgresql";
    }

    @Override
    public String productName() {
        return "PostgreSQL";
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
     * Set by each round trip for itself and gone with its end, because nothing that is set for a session survives a
     * PgBouncer in transaction mode. A batch joins an array with a table: while the table is small the planner would
     * rather read all of it, and keep that plan when it is not small any more.
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

    /** After a failure it takes nothing more until somebody takes it back. */
    @Override
    public boolean mayRollBackOnError() {
        return false;
    }

    @Override
    public boolean commitsInPipeline() {
        return true;
    }

    @Override
    public boolean supportsNotifications() {
        return true;
    }
}
