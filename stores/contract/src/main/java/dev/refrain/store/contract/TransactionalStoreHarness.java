package dev.refrain.store.contract;

import java.util.List;

/**
 * Harness for the suites of transactions, outbox and ledger: besides the store it has the caller's own transactions, and a table of the
 * caller's in the same database.
 *
 * @param <C> how a transaction reaches the database, such as {@code java.sql.Connection}
 */
public interface TransactionalStoreHarness<C> extends StoreHarness {

    /** Work of a caller. */
    @FunctionalInterface
    interface TransactionBody<C> {
        void run(C connection) throws Exception;
    }

    /** Runs the body in a transaction of the caller's and commits it; if the body throws, rolls back and throws the same. */
    void inTransaction(TransactionBody<C> body) throws Exception;

    /** Writes a line into the caller's table, in that transaction. */
    void insertNote(C connection, String text) throws Exception;

    /** The committed lines of the caller's table. */
    List<String> notes();
}
