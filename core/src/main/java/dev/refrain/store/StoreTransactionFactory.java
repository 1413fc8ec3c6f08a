package dev.refrain.store;

/**
 * Store ability: takes part in the caller's transaction, so that claim, work and outcome commit together, or none does.
 *
 * @param <C> how the caller's work reaches the database, such as {@code java.sql.Connection}
 */
public interface StoreTransactionFactory<C> {

    /** The store whose records these transactions write. */
    Store store();

    /** A transaction of its own, which the run commits or rolls back. */
    StoreTransaction<C> begin();

    /** A transaction for one phase of an operation that was claimed before. */
    PhaseTransaction<C> beginPhase();

    /** A part of the caller's open transaction, which the caller commits or rolls back. */
    StoreTransaction<C> join(C connection);
}
