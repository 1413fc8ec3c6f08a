package dev.refrain.store.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/** A connection of the application's pool for transactions of ours; it goes back as it came. */
final class Borrowed {

    private final Connection connection;
    private final boolean commitsByAutoCommit;
    private final List<String> toRestore;
    private boolean open = true;

    private Borrowed(Connection connection, boolean commitsByAutoCommit, List<String> toRestore) {
        this.connection = connection;
        this.toRestore = toRestore;
        this.commitsByAutoCommit = commitsByAutoCommit;
    }

    static Borrowed begin(Connection connection, Dialect dialect, Timeouts timeouts) throws SQLException {
        try {
            var toRestore = dialect.settingsToRestore(connection);
            execute(connection, dialect.transactionSettings(timeouts));
            connection.setAutoCommit(false);
            return new Borrowed(connection, dialect.commitsByAutoCommit(), toRestore);
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

    Connection connection() {
        return connection;
    }

    /** Takes everything back and goes on in a new transaction. */
    void startOver() throws SQLException {
        connection.rollback();
    }

    /** The commit went out with the last statements. */
    void committed() {
        open = false;
    }

    void commit() throws SQLException {
        if (!open) {
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
        for (Step step : List.<Step>of(
                this::rollBack,
                () -> connection.setAutoCommit(true),
                () -> execute(connection, toRestore),
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
    private interface Step {
        void run() throws SQLException;
    }
}
