package dev.refrain.store.jdbc.internal.transaction;

import dev.refrain.store.jdbc.internal.sql.Dialect;
import dev.refrain.store.jdbc.spi.TransactionSource;
import java.sql.Connection;
import java.sql.SQLException;

/** Transaction that something else begins and ends. */
final class ManagedTransaction implements DatabaseTransaction {

    private static final System.Logger LOG = System.getLogger(ManagedTransaction.class.getName());

    /** Begins a transaction of the manager on this thread. */
    @FunctionalInterface
    interface ExternalStarter {
        TransactionSource.ExternalTransaction begin() throws SQLException;
    }

    private final ExternalStarter starter;
    private final Dialect dialect;
    private final TransactionSource.ExternalTransaction transaction;
    private boolean over;

    private ManagedTransaction(
            ExternalStarter starter, Dialect dialect, TransactionSource.ExternalTransaction transaction) {
        this.starter = starter;
        this.dialect = dialect;
        this.transaction = transaction;
    }

    static ManagedTransaction begin(ExternalStarter starter, Dialect dialect) throws SQLException {
        return new ManagedTransaction(starter, dialect, starter.begin());
    }

    @Override
    public Connection connection() {
        return transaction.connection();
    }

    @Override
    public boolean doomed() {
        return transaction.isRollbackOnly();
    }

    @Override
    public void rollbackForRestart() throws SQLException {
        over = true;
        transaction.rollback();
    }

    @Override
    public DatabaseTransaction restart() throws SQLException {
        return begin(starter, dialect);
    }

    @Override
    public boolean commitsInPipeline() {
        return dialect.commitsInPipeline() && transaction.allowsCommitInSql();
    }

    @Override
    public boolean mayMove() {
        return transaction.canChangeThread();
    }

    @Override
    public void leave() {
        transaction.unbindFromThread();
    }

    @Override
    public void arrive() {
        transaction.bindToThread();
    }

    @Override
    public void exposeConnection(Connection guard) {
        transaction.exposeConnection(guard);
    }

    /** Tells its manager that it ended. It is committed, whatever fails now. */
    @Override
    public void markCommitted() {
        over = true;
        try {
            transaction.commit();
        } catch (SQLException | RuntimeException e) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "A transaction was committed, but its transaction manager failed afterwards",
                    e);
        }
    }

    @Override
    public boolean isReachedByGuardOnly() {
        return false;
    }

    @Override
    public void commit() throws SQLException {
        over = true;
        transaction.commit();
    }

    @Override
    public void commit(Runnable workIsOver) throws SQLException {
        over = true;
        transaction.commit(workIsOver);
    }

    @Override
    public boolean isReleasedByItsEnd() {
        return true;
    }

    @Override
    public void release() {
        // Its manager has done so.
    }

    @Override
    public void rollbackAndRestore() {
        if (!over) {
            over = true;
            try {
                transaction.rollback();
            } catch (SQLException | RuntimeException e) {
                // Its connection is broken, and the database rolls back.
            }
        }
    }
}
