package dev.refrain.spring;

import dev.refrain.store.jdbc.TransactionSource;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Set;
import javax.sql.DataSource;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionException;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.UnexpectedRollbackException;
import org.springframework.transaction.support.DefaultTransactionDefinition;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Transactions of Spring's transaction manager. What is {@code @Transactional} on the same thread takes part in them, through JDBC
 * or JPA alike.
 */
final class SpringTransactions implements TransactionSource {

    /** SQLSTATE of a transaction that was rolled back: certainly nothing happened. */
    private static final String ROLLED_BACK = "40000";

    private static final Set<Class<?>> PLAIN = Set.of(DataSourceTransactionManager.class, JdbcTransactionManager.class);

    /** What is open around it, if anything, could take back what was told to be done. */
    private static final TransactionDefinition OWN =
            new DefaultTransactionDefinition(TransactionDefinition.PROPAGATION_REQUIRES_NEW);

    private final PlatformTransactionManager manager;
    private final DataSource source;

    SpringTransactions(PlatformTransactionManager manager, DataSource source) {
        this.manager = manager;
        this.source = source;
    }

    @Override
    public Open begin() throws SQLException {
        TransactionStatus status;
        try {
            status = manager.getTransaction(OWN);
        } catch (TransactionException e) {
            throw causeOf(e);
        }
        if (!TransactionSynchronizationManager.hasResource(source)) {
            manager.rollback(status);
            throw new SQLException(
                    "The transaction manager " + manager.getClass().getName()
                            + " manages another DataSource than the one that the keys are in; make the handler's mode leased.");
        }
        return new Begun(status, DataSourceUtils.getConnection(source));
    }

    private static SQLException causeOf(TransactionException failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof SQLException sql) {
                return sql;
            }
        }
        return new SQLException(failure.getMessage(), failure);
    }

    private final class Begun implements Open {
        private final TransactionStatus status;
        private final Connection connection;

        Begun(TransactionStatus status, Connection connection) {
            this.status = status;
            this.connection = connection;
        }

        @Override
        public Connection connection() {
            return connection;
        }

        @Override
        public boolean doomed() {
            return status.isRollbackOnly();
        }

        /** A plain JDBC transaction that nobody asked to be told before it commits. */
        @Override
        public boolean mayCommitInSql() {
            return PLAIN.contains(manager.getClass())
                    && (!TransactionSynchronizationManager.isSynchronizationActive()
                            || TransactionSynchronizationManager.getSynchronizations()
                                    .isEmpty());
        }

        @Override
        public void commit() throws SQLException {
            DataSourceUtils.releaseConnection(connection, source);
            try {
                manager.commit(status);
            } catch (UnexpectedRollbackException e) {
                throw new SQLException(
                        "Something that took part in the transaction had marked it to be rolled back.", ROLLED_BACK, e);
            } catch (RuntimeException e) {
                // It may be that of a listener, after the commit: without a state it says nothing, and what is there is
                // asked.
                throw new SQLException("The commit failed, or something that was called after it.", e);
            }
        }

        @Override
        public void rollback() throws SQLException {
            DataSourceUtils.releaseConnection(connection, source);
            try {
                manager.rollback(status);
            } catch (TransactionException e) {
                throw causeOf(e);
            }
        }
    }
}
