package dev.refrain.store.jdbc;

import dev.refrain.store.jdbc.spi.TransactionSource;
import java.sql.Connection;
import java.sql.SQLException;

/** Transaction of a manager outside of Refrain: its connection is returned when it ends. */
record ConnectionTransaction(Connection connection, boolean allowsCommitInSql)
        implements TransactionSource.ExternalTransaction {

    ConnectionTransaction {
        try {
            connection.setAutoCommit(false);
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }

    @Override
    public boolean isRollbackOnly() {
        return false;
    }

    @Override
    public void commit() throws SQLException {
        connection.commit();
        connection.close();
    }

    @Override
    public void rollback() throws SQLException {
        connection.rollback();
        connection.close();
    }
}
