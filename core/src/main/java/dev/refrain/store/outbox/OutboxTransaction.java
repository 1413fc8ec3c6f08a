package dev.refrain.store.outbox;

import java.util.List;

/**
 * What handlers write and that their messages are delivered commit together. Used by one thread.
 *
 * @param <C> how handlers reach the database
 */
public interface OutboxTransaction<C> extends AutoCloseable {

    C connection();

    /** Whether what a handler threw means that it lost a race at the database: nothing of it is left, and it may run again. */
    boolean lostRace(Throwable failure);

    /**
     * Settles these rows and commits, unless one of them has moved on: then nothing is left of the transaction.
     *
     * @return whether it was committed
     * @throws dev.refrain.store.StoreException if it failed; with {@code UNKNOWN} effect it may have been committed
     */
    boolean settleAndCommit(List<? extends MessageSettlement> settlements);

    /** Rolls back what was not committed, and gives back what it holds. */
    @Override
    void close();
}
