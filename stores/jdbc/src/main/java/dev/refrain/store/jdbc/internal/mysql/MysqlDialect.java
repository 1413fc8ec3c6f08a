package dev.refrain.store.jdbc.internal.mysql;

import dev.refrain.store.jdbc.internal.sql.Dialect;
import dev.refrain.store.jdbc.internal.sql.JdbcTimeouts;
import dev.refrain.store.jdbc.internal.sql.SqlErrorTranslator;
import dev.refrain.store.jdbc.internal.sql.SqlTextFiles;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;

/** Dialect of MySQL 8 and later and of MariaDB 10.6 and later, in statements that run on both. */
public final class MysqlDialect implements Dialect {

    /** The first version that is not a draft of another database's. */
    private static final int FIRST_SCHEMA_VERSION = 10;

    private final SqlErrorTranslator failures = new MysqlErrorTranslator();

    @Override
    public String name() {
        return "mysql";
    }

    @Override
    public Set<String> productNames() {
        return Set.of("MySQL", "MariaDB");
    }

    @Override
    public List<String> folders() {
        return List.of(name(), SqlTextFiles.SHARED);
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
    public boolean bindsJson() {
        return true;
    }

    @Override
    public String transactionStart() {
        return "START TRANSACTION";
    }

    /** Returns false: a claim that finds its record would lock it. */
    @Override
    public boolean claimsInOneStatement() {
        return false;
    }

    @Override
    public boolean hasConcurrentWriters() {
        return true;
    }

    @Override
    public int dedicatedConnectionIsolation() {
        return Connection.TRANSACTION_READ_COMMITTED;
    }

    @Override
    public String roundTripPrefix(JdbcTimeouts timeouts) {
        return "";
    }

    /**
     * Sets what our statements rely on, whatever the server's defaults: too long a value fails and is not cut, bars join texts, no time zone
     * shifts. A lock timeout has whole seconds, and one at the least.
     */
    @Override
    public List<String> dedicatedConnectionSettings(JdbcTimeouts timeouts) {
        long lockSeconds = Math.max(1, timeouts.lock().toSeconds());
        long statementSeconds = Math.max(1, timeouts.statement().toSeconds());
        return List.of(
                "SET SESSION sql_mode = 'STRICT_ALL_TABLES,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION,PIPES_AS_CONCAT',"
                        + " time_zone = '+00:00', innodb_lock_wait_timeout = " + lockSeconds + ", lock_wait_timeout = "
                        + statementSeconds + ", group_concat_max_len = 1048576");
    }

    @Override
    public List<String> dedicatedSettingsToRestore(Connection connection) throws SQLException {
        try (var statement = connection.createStatement();
                var row = statement.executeQuery(
                        "SELECT @@SESSION.sql_mode, @@SESSION.time_zone,"
                                + " @@SESSION.innodb_lock_wait_timeout, @@SESSION.lock_wait_timeout, @@SESSION.group_concat_max_len")) {
            row.next();
            return List.of("SET SESSION sql_mode = '" + row.getString(1) + "', time_zone = '" + row.getString(2)
                    + "', innodb_lock_wait_timeout = " + row.getLong(3) + ", lock_wait_timeout = " + row.getLong(4)
                    + ", group_concat_max_len = " + row.getLong(5));
        }
    }

    /** Returns nothing: the work's statements run as its application has set up its sessions. */
    @Override
    public List<String> transactionSettings(JdbcTimeouts timeouts) {
        return List.of();
    }

    @Override
    public List<String> settingsToRestore(Connection connection) {
        return List.of();
    }

    @Override
    public boolean commitsByAutoCommit() {
        return false;
    }

    /** Returns true: a deadlock rolls the whole transaction back, and the next statement begins another one. */
    @Override
    public boolean mayRollBackOnError() {
        return true;
    }

    @Override
    public boolean mayRollBackOnCancel() {
        return false;
    }

    @Override
    public boolean keyLocksOutliveTransactions() {
        return true;
    }

    /** Returns true: on Galera and Group Replication the nodes agree on a transaction only when it commits. */
    @Override
    public boolean commitMayBeIndeterminate() {
        return true;
    }

    @Override
    public boolean commitsSchemaChanges() {
        return true;
    }

    @Override
    public int firstSchemaVersion() {
        return FIRST_SCHEMA_VERSION;
    }

    /** Returns the database of the session, which `USE` and `setCatalog` change. */
    @Override
    public String placeOfTables(Connection connection) throws SQLException {
        try (var statement = connection.createStatement();
                var row = statement.executeQuery("SELECT coalesce(DATABASE(), '')")) {
            row.next();
            return row.getString(1);
        }
    }

    @Override
    public boolean commitsInPipeline() {
        return false;
    }

    @Override
    public void abort(Connection connection) {
        try {
            connection.abort(Runnable::run);
        } catch (SQLException | RuntimeException e) {
            // Already closed, and its reader knows.
        }
    }

    /** Asks the server on a connection of its own; with another driver than MariaDB's, breaks the connection off. */
    @Override
    public void cancelStatement(Connection connection) {
        try {
            if (connection.isWrapperFor(org.mariadb.jdbc.Connection.class)) {
                connection.unwrap(org.mariadb.jdbc.Connection.class).cancelCurrentQuery();
                return;
            }
        } catch (LinkageError anotherDriver) {
            // MariaDB's driver is not on the class path.
        } catch (SQLException | RuntimeException e) {
            return;
        }
        abort(connection);
    }

    @Override
    public boolean supportsNotifications() {
        return false;
    }

    @Override
    public String quoted(String identifier) {
        return '`' + identifier.replace("`", "``") + '`';
    }
}
