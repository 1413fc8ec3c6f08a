package dev.refrain.spring.transaction;

import dev.refrain.store.jdbc.spi.TransactionSource;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;
import java.util.Set;
import javax.sql.DataSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.jdbc.datasource.ConnectionHolder;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
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
public final class SpringTransactionSource implements TransactionSource {

    /** SQLSTATE of a transaction that was rolled back: certainly nothing happened. */
    private static final String ROLLED_BACK = "40000";

    private static final Set<Class<?>> PLAIN = Set.of(DataSourceTransactionManager.class, JdbcTransactionManager.class);

    /** What is open around it, if anything, could take back what was told to be done. */
    private static final TransactionDefinition OWN =
            new DefaultTransactionDefinition(TransactionDefinition.PROPAGATION_REQUIRES_NEW);

    private final PlatformTransactionManager manager;
    private final DataSource source;

    public SpringTransactionSource(PlatformTransactionManager manager, DataSource source) {
        this.manager = manager;
        this.source = source;
    }

    /** Empty where the application has no transaction manager, or no one DataSource. */
    static Optional<SpringTransactionSource> findIn(
            ObjectProvider<PlatformTransactionManager> managers, ObjectProvider<DataSource> sources) {
        var manager = managers.getIfAvailable();
        var source = sources.getIfAvailable();
        return manager == null || source == null
                ? Optional.empty()
                : Optional.of(new SpringTransactionSource(manager, source));
    }

    @Override
    public ExternalTransaction begin() throws SQLException {
        TransactionStatus status;
        boolean alone = acceptsMovedTransaction();
        try {
            status = manager.getTransaction(OWN);
        } catch (TransactionException e) {
            throw causeOf(e);
        }
        if (!(TransactionSynchronizationManager.getResource(source) instanceof ConnectionHolder holder)) {
            manager.rollback(status);
            throw new SQLException(
                    "The transaction manager " + manager.getClass().getName()
                            + " manages another DataSource than the one that the keys are in; make the handler's mode leased.");
        }
        return new OpenSpringTransaction(status, holder, alone);
    }

    /** Where a plain JDBC transaction is all that there is: nobody wants to hear of its end, and nothing is open around it. */
    @Override
    public boolean acceptsMovedTransaction() {
        return isPlain()
                && !TransactionSynchronizationManager.isSynchronizationActive()
                && !TransactionSynchronizationManager.hasResource(source);
    }

    /** One that only begins and commits on a connection, each time the same way. */
    private boolean isPlain() {
        return PLAIN.contains(manager.getClass())
                && manager instanceof DataSourceTransactionManager jdbc
                && jdbc.getTransactionExecutionListeners().isEmpty()
                && jdbc.getDefaultTimeout() == TransactionDefinition.TIMEOUT_DEFAULT;
    }

    private static SQLException causeOf(TransactionException failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof SQLException sql) {
                return sql;
            }
        }
        return new SQLException(failure.getMessage(), failure);
    }

    private final class OpenSpringTransaction implements ExternalTransaction {
        private final TransactionStatus status;
        private final ConnectionHolder holder;
        private final Connection connection;
        private final boolean alone;

        OpenSpringTransaction(TransactionStatus status, ConnectionHolder holder, boolean alone) {
            this.status = status;
            this.holder = holder;
            this.alone = alone;
            holder.requested();
            this.connection = holder.getConnection();
        }

        @Override
        public Connection connection() {
            return connection;
        }

        @Override
        public boolean isRollbackOnly() {
            return status.isRollbackOnly();
        }

        /** A plain JDBC transaction that nobody asked to be told before it commits. */
        @Override
        public boolean allowsCommitInSql() {
            return isPlain()
                    && (!TransactionSynchronizationManager.isSynchronizationActive()
                            || TransactionSynchronizationManager.getSynchronizations()
                                    .isEmpty());
        }

        @Override
        public boolean canChangeThread() {
            return alone;
        }

        @Override
        public void unbindFromThread() {
            TransactionSynchronizationManager.unbindResource(source);
            TransactionSynchronizationManager.clear();
        }

        @Override
        public void bindToThread() {
            TransactionSynchronizationManager.bindResource(source, holder);
            TransactionSynchronizationManager.setActualTransactionActive(true);
            TransactionSynchronizationManager.initSynchronization();
        }

        /** Through a JPA manager the work has the connection of its session, which is not to be replaced. */
        @Override
        public void exposeConnection(Connection guard) {
            if (isPlain()) {
                TransactionSynchronizationManager.unbindResource(source);
                TransactionSynchronizationManager.bindResource(source, new GuardedConnectionHolder(guard, holder));
            }
        }

        @Override
        public void commit() throws SQLException {
            holder.released();
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
            holder.released();
            try {
                manager.rollback(status);
            } catch (TransactionException e) {
                throw causeOf(e);
            }
        }
    }

    /** What takes part in the transaction finds this one; what it decides is told to the one that its manager knows. */
    private static final class GuardedConnectionHolder extends ConnectionHolder {
        private final ConnectionHolder known;

        GuardedConnectionHolder(Connection guard, ConnectionHolder known) {
            super(guard, true);
            this.known = known;
        }

        @Override
        public void setRollbackOnly() {
            super.setRollbackOnly();
            known.setRollbackOnly();
        }

        @Override
        public void resetRollbackOnly() {
            super.resetRollbackOnly();
            known.resetRollbackOnly();
        }
    }
}
