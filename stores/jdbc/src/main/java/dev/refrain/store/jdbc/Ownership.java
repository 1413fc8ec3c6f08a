package dev.refrain.store.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/** Who ends a transaction: we, on a connection of our own, or the caller, on theirs. */
final class Ownership {

    private final Connection connection;
    private final boolean ours;
    private final boolean commitsByAutoCommit;
    private boolean open = true;

    private Ownership(Connection connection, boolean ours, boolean commitsByAutoCommit) {
        this.connection = connection;
        this.ours = ours;
        this.commitsByAutoCommit = commitsByAutoCommit;
    }

    static Ownership none(Connection connection) {
        return new Ownership(connection, false, false);
    }

    static Ownership begin(Connection connection, Dialect dialect, Timeouts timeouts) throws SQLException {
        try {
            for (String setting : dialect.transactionSettings(timeouts)) {
                try (var statement = connection.createStatement()) {
                    statement.execute(setting);
                }
            }
            connection.setAutoCommit(false);
            return new Ownership(connection, true, dialect.commitsByAutoCommit());
        } catch (SQLException e) {
            connection.close();
            throw e;
        }
    }

    Connection connection() {
        return connection;
    }

    void commit() throws SQLException {
        if (!ours || !open) {
            return;
        }
        open = false;
        if (commitsByAutoCommit) {
            connection.setAutoCommit(true);
        } else {
            connection.commit();
        }
    }

    /** Nothing can be done about a connection that fails here: its transaction ends with it. */
    void end() {
        if (!ours) {
            return;
        }
        for (Step step : List.<Step>of(this::rollBack, () -> connection.setAutoCommit(true), connection::close)) {
            try {
                step.run();
            } catch (SQLException e) {
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
    private interface Step {
        void run() throws SQLException;
    }
}
