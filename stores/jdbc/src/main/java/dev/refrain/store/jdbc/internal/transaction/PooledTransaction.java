package dev.refrain.store.jdbc.internal.transaction;

import dev.refrain.store.jdbc.internal.sql.Dialect;
import dev.refrain.store.jdbc.internal.sql.JdbcTimeouts;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/** A connection of the application's pool for transactions of ours; it goes back as it came. */
public final class PooledTransaction implements DatabaseTransaction {

    private final Connection connection;
    private final Dialect dialect;
    private final List<String> toRestore;
    private final boolean cameInAutoCommit;
    private boolean open = true;

    private PooledTransaction(
            Connection connection, Dialect dialect, List<String> toRestore, boolean cameInAutoCommit) {
        this.connection = connection;
        this.toRestore = toRestore;
        this.dialect = dialect;
        this.cameInAutoCommit = cameInAutoCommit;
    }

    public static PooledTransaction begin(Connection connection, Dialect dialect, JdbcTimeouts timeouts)
            throws SQLException {
        try {
            boolean cameInAutoCommit = connection.getAutoCommit();
            // Settings are not to be part of a transaction.
            connection.setAutoCommit(true);
            var toRestore = dialect.settingsToRestore(connection);
            execute(connection, dialect.transactionSettings(timeouts));
            connection.setAutoCommit(false);
            return new PooledTransaction(connection, dialect, toRestore, cameInAutoCommit);
        } catch (SQLException | RuntimeException e) {
            connection.close();
            throw e;
        }
    }

    private static void execute(Connection connection, List<String> settings) throws SQLException {
        for (String setting : settings) {
            try (var statement = connection.createStatement()) {
                statement.execute(setting);
            }
        }
    }

    @Override
    public Connection connection() {
        return connection;
    }

    @Override
    public boolean doomed() {
        return false;
    }

    @Override
    public DatabaseTransaction rollbackAndRestart() throws SQLException {
        connection.rollback();
        return this;
    }

    @Override
    public boolean commitsInPipeline() {
        return dialect.commitsInPipeline();
    }

    @Override
    public void markCommitted() {
        open = false;
    }

    @Override
    public boolean mayMove() {
        return true;
    }

    @Override
    public void commit() throws SQLException {
        if (!open) {
            return;
        }
        open = false;
        if (dialect.commitsByAutoCommit()) {
            commitByAutoCommit();
        } else {
            connection.commit();
        }
    }

    /** What is refused may stay open, with all its locks, and the driver takes it for over: then only SQL ends it. */
    private void commitByAutoCommit() throws SQLException {
        try {
            connection.setAutoCommit(true);
        } catch (SQLException refused) {
            try {
                execute(connection, List.of("ROLLBACK"));
            } catch (SQLException isOver) {
                refused.addSuppressed(isOver);
            }
            throw refused;
        }
    }

    /** Nothing can be done about a connection that fails here: its transaction ends with it. */
    @Override
    public void rollbackAndRelease() {
        for (CleanupStep step : List.<CleanupStep>of(
                this::rollBack,
                () -> connection.setAutoCommit(true),
                () -> execute(connection, toRestore),
                () -> connection.setAutoCommit(cameInAutoCommit),
                connection::close)) {
            try {
                step.run();
            } catch (SQLException | RuntimeException e) {
                // The next step is still due: at last the connection must go back to its pool.
            }
        }
    }

    private void rollBack() throws SQLException {
        if (open) {
            open = false;
            connection.rollback();
        }
    }

    @FunctionalInterface
    private interface CleanupStep {
        void run() throws SQLException;
    }
}
