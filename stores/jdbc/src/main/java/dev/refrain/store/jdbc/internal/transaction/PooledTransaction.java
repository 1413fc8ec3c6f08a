package dev.refrain.store.jdbc.internal.transaction;

import dev.refrain.store.jdbc.internal.sql.Dialect;
import dev.refrain.store.jdbc.internal.sql.JdbcTimeouts;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/** Transaction of ours on a connection of the application's pool, which is returned unchanged. */
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
            // Settings must not be part of a transaction.
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
    public void rollbackForRestart() throws SQLException {
        connection.rollback();
    }

    @Override
    public DatabaseTransaction restart() {
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
    public boolean isReachedByGuardOnly() {
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

    /**
     * Commits by turning auto-commit on. A rejected commit may leave the transaction open, with all its locks, while the driver
     * takes it for ended: then only SQL ends it.
     */
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

    @Override
    public boolean isReleasedByItsEnd() {
        return false;
    }

    /** Rolls back. If that fails, or the settings cannot be restored, the connection is broken off, and its transaction ends with it. */
    @Override
    public void rollbackAndRestore() {
        runAll(List.of(
                this::rollBack,
                () -> connection.setAutoCommit(true),
                () -> execute(connection, toRestore),
                () -> connection.setAutoCommit(cameInAutoCommit)));
    }

    @Override
    public void release() {
        runAll(List.of(connection::close));
    }

    private void runAll(List<CleanupStep> steps) {
        for (var step : steps) {
            try {
                step.run();
            } catch (SQLException | RuntimeException e) {
                // What is open must not be committed by the next step, and what was changed must not have another user.
                // SQLite, whose
                // connections cannot be broken off, has ended its transaction by itself. The connection must be
                // returned all the same.
                dialect.abort(connection);
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
