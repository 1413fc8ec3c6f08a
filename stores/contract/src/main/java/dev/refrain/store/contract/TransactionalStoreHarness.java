package dev.refrain.store.contract;

import java.util.List;

/**
 * Harness for the suites of transactions, outbox and ledger: adds the caller's own transactions, and a table of the caller in the
 * same database.
 *
 * @param <C> the caller's access to the database in its transaction, such as {@code java.sql.Connection}
 */
public interface TransactionalStoreHarness<C> extends StoreHarness {

    /** Work of a caller inside a transaction. */
    @FunctionalInterface
    interface TransactionBody<C> {
        void run(C connection) throws Exception;
    }

    /**
     * Runs the body in a transaction of the caller and commits it; if the body throws, rolls back and rethrows the exception.
     */
    void inTransaction(TransactionBody<C> body) throws Exception;

    /** Inserts a row into the caller's table, in that transaction. */
    void insertNote(C connection, String text) throws Exception;

    /** Returns the committed rows of the caller's table. */
    List<String> notes();

    /** Returns whether {@link dev.refrain.store.StoreTransaction#abort} makes the calls of running work fail; by default it does not. */
    default boolean abortFailsRunningWork() {
        return false;
    }
}
