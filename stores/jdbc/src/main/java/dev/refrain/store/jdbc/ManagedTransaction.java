package dev.refrain.store.jdbc;

import java.sql.Connection;
import java.sql.SQLException;

/** A transaction that something else begins and ends. */
final class ManagedTransaction implements OpenTransaction {

    private final TransactionSource source;
    private final TransactionSource.Open transaction;
    private boolean over;

    private ManagedTransaction(TransactionSource source, TransactionSource.Open transaction) {
        this.source = source;
        this.transaction = transaction;
    }

    static ManagedTransaction begin(TransactionSource source) throws SQLException {
        return new ManagedTransaction(source, source.begin());
    }

    @Override
    public Connection connection() {
        return transaction.connection();
    }

    @Override
    public boolean doomed() {
        return transaction.doomed();
    }

    @Override
    public OpenTransaction startOver() throws SQLException {
        over = true;
        transaction.rollback();
        return begin(source);
    }

    /** Whoever manages it has to know that it ends. */
    @Override
    public boolean commitsInPipeline() {
        return false;
    }

    @Override
    public void committed() {
        over = true;
    }

    @Override
    public void commit() throws SQLException {
        over = true;
        transaction.commit();
    }

    @Override
    public void end() {
        if (!over) {
            over = true;
            try {
                transaction.rollback();
            } catch (SQLException | RuntimeException e) {
                // Its connection is broken, and what was not committed is gone with it.
            }
        }
    }
}
