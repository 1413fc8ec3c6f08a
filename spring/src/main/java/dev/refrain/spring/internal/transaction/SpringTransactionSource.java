package dev.refrain.spring.internal.transaction;

import dev.refrain.store.jdbc.spi.TransactionSource;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Set;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.datasource.ConnectionHolder;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionException;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.UnexpectedRollbackException;
import org.springframework.transaction.support.DefaultTransactionDefinition;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Transactions of Spring's transaction manager. {@code @Transactional} code on the same thread joins them, through JDBC or JPA.
 * Thread-safe.
 */
public final class SpringTransactionSource implements TransactionSource {

    /** SQLSTATE of a transaction that was certainly rolled back. */
    private static final String ROLLED_BACK = "40000";

    private static final Set<Class<?>> PLAIN = Set.of(DataSourceTransactionManager.class, JdbcTransactionManager.class);

    private final PlatformTransactionManager manager;
    private final DataSource source;
    private final TransactionDefinition definition;
    private final boolean asByDefault;
    private final @Nullable BorrowerAwareDataSource borrowing;

    public SpringTransactionSource(PlatformTransactionManager manager, DataSource source) {
        this(manager, source, TransactionDefinition.withDefaults());
    }

    /**
     * @param settings isolation and timeout of the transactions. They always begin anew: a transaction that is open around them could
     *     roll back what was reported as done
     */
    public SpringTransactionSource(
            PlatformTransactionManager manager, DataSource source, TransactionDefinition settings) {
        this.manager = manager;
        this.source = source;
        var begun = new DefaultTransactionDefinition(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
        begun.setIsolationLevel(settings.getIsolationLevel());
        begun.setTimeout(settings.getTimeout());
        this.definition = begun;
        this.asByDefault = isDefault(settings);
        this.borrowing = ManagerDataSources.find(manager) instanceof BorrowerAwareDataSource managed ? managed : null;
    }

    /** Returns the DataSource on whose connections the transactions are. */
    public DataSource dataSource() {
        return source;
    }

    /** Returns the class of the transaction manager, for messages. */
    public String managerName() {
        return manager.getClass().getName();
    }

    /** Returns true if neither isolation nor timeout is set: the manager's defaults apply. */
    public static boolean isDefault(TransactionDefinition settings) {
        return settings.getIsolationLevel() == TransactionDefinition.ISOLATION_DEFAULT
                && settings.getTimeout() == TransactionDefinition.TIMEOUT_DEFAULT;
    }

    /** Returns transactions of the same manager with another isolation or timeout. */
    public SpringTransactionSource with(TransactionDefinition settings) {
        return new SpringTransactionSource(manager, source, settings);
    }

    @Override
    public ExternalTransaction begin() throws SQLException {
        TransactionStatus status;
        boolean alone = acceptsMovedTransaction();
        try {
            status = manager.getTransaction(definition);
        } catch (TransactionException e) {
            throw causeOf(e);
        }
        if (!(TransactionSynchronizationManager.getResource(source) instanceof ConnectionHolder holder)) {
            manager.rollback(status);
            throw new SQLException(
                    "The transaction manager " + manager.getClass().getName()
                            + " manages a different DataSource than that of the keys. Make the handler's mode leased.");
        }
        return new OpenSpringTransaction(status, holder, alone);
    }

    @Override
    public boolean usesBorrower() {
        return borrowing != null && !borrowing.isBypassed();
    }

    @Override
    public ExternalTransaction begin(ConnectionBorrower borrower) throws SQLException {
        return borrowing == null ? begin() : borrowing.beginWith(borrower, this::begin);
    }

    @Override
    public boolean isInTransaction() {
        return TransactionSynchronizationManager.isActualTransactionActive();
    }

    /** Returns true for a plain JDBC transaction without synchronizations and without a surrounding transaction. */
    @Override
    public boolean acceptsMovedTransaction() {
        return asByDefault && canBeginOnAnotherThread();
    }

    /** Learns of commits of this thread's transaction on the DataSource, whoever manages it. */
    @Override
    public boolean runAfterCommit(Connection connection, Runnable action) {
        if (!TransactionSynchronizationManager.isSynchronizationActive()
                || !DataSourceUtils.isConnectionTransactional(connection, source)) {
            return false;
        }
        TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
            @Override
            public void afterCommit() {
                action.run();
            }
        });
        return true;
    }

    /** Returns true as for a moved one, with any isolation and timeout: it is begun for this thread. */
    @Override
    public boolean canBeginOnAnotherThread() {
        return isPlain()
                && !TransactionSynchronizationManager.isSynchronizationActive()
                && !TransactionSynchronizationManager.hasResource(source);
    }

    private boolean isPlain() {
        return isPlain(manager);
    }

    /** Returns true for a manager that only begins and commits on a connection, always in the same way. */
    static boolean isPlain(PlatformTransactionManager manager) {
        return PLAIN.contains(manager.getClass())
                && manager instanceof DataSourceTransactionManager jdbc
                && jdbc.getTransactionExecutionListeners().isEmpty()
                && jdbc.getDefaultTimeout() == TransactionDefinition.TIMEOUT_DEFAULT;
    }

    private static SQLException causeOf(RuntimeException failure) {
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

        /** Returns true for a plain JDBC transaction without synchronizations to call before the commit. */
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
            TransactionSynchronizationManager.setCurrentTransactionIsolationLevel(
                    definition.getIsolationLevel() == TransactionDefinition.ISOLATION_DEFAULT
                            ? null
                            : definition.getIsolationLevel());
            TransactionSynchronizationManager.initSynchronization();
        }

        /** Binds the guarded connection for the work, except under JPA, where the session's connection must not be replaced. */
        @Override
        public void exposeConnection(Connection guard) {
            if (isPlain()) {
                TransactionSynchronizationManager.unbindResource(source);
                TransactionSynchronizationManager.bindResource(source, new GuardedConnectionHolder(guard, holder));
            }
        }

        @Override
        public void commit() throws SQLException {
            commit(() -> {});
        }

        @Override
        public void commit(Runnable workIsOver) throws SQLException {
            holder.released();
            if (TransactionSynchronizationManager.isSynchronizationActive()) {
                TransactionSynchronizationManager.registerSynchronization(
                        new WorkEndSynchronization(status, workIsOver));
            }
            try {
                manager.commit(status);
            } catch (UnexpectedRollbackException e) {
                throw new SQLException(
                        "Rolled back: a participant had marked the transaction rollback-only.", ROLLED_BACK, e);
            } catch (RuntimeException e) {
                // It may come from a listener after the commit. Without a SQLSTATE the outcome is unknown, and the
                // store is
                // queried.
                throw new SQLException("The commit failed, or a listener failed after it.", e);
            }
        }

        @Override
        public void rollback() throws SQLException {
            holder.released();
            try {
                manager.rollback(status);
            } catch (RuntimeException e) {
                // A JdbcTransactionManager translates the database's error into a DataAccessException.
                throw causeOf(e);
            }
        }
    }

    /** Holder that participants see; it passes their rollback-only mark on to the holder that the manager knows. */
    private static final class GuardedConnectionHolder extends ConnectionHolder {
        private final ConnectionHolder known;

        GuardedConnectionHolder(Connection guard, ConnectionHolder known) {
            super(guard, true);
            this.known = known;
            if (known.hasTimeout()) {
                setTimeoutInMillis(known.getTimeToLiveInMillis());
            }
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
