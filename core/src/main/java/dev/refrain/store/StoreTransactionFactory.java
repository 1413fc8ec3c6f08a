package dev.refrain.store;

import java.time.Duration;
import java.util.List;

/**
 * The ability of a store to take part in the caller's transaction: claim, work and outcome commit together, or none does.
 *
 * @param <C> how the caller's work reaches the database, such as {@code java.sql.Connection}
 */
public interface StoreTransactionFactory<C> {

    /** The store whose records these transactions write. */
    Store store();

    /**
     * Work in phases whose first claim is longer ago than that and that has not come to its end, oldest first: running, released,
     * abandoned or in ATTENTION. Looks at what is unfinished in the namespace, and at nothing that is settled.
     */
    List<UnfinishedRecord> listUnfinished(String namespace, Duration longerThan, int limit);

    /** A transaction of its own, which the run commits or rolls back. */
    StoreTransaction<C> begin();

    /** A transaction for one phase of an operation that was claimed before. */
    PhaseTransaction<C> beginPhase();

    /** A part of the caller's open transaction, which the caller commits or rolls back. */
    StoreTransaction<C> join(C connection);
}
