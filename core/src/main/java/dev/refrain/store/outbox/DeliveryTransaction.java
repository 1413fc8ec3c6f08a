package dev.refrain.store.outbox;

import java.util.List;

/**
 * Transaction in which handlers' writes and the settlement of their messages commit together. Not thread-safe.
 *
 * @param <C> the handlers' access to the database
 */
public interface DeliveryTransaction<C> extends AutoCloseable {

    C connection();

    /** Returns true if a handler failed because of a conflict in the database: it is rolled back and may run again. */
    boolean lostRace(Throwable failure);

    /**
     * Settles these rows and commits, unless one of them has another fence: then the transaction is rolled back.
     *
     * @return whether it was committed
     * @throws dev.refrain.store.StoreException if it failed; with {@code UNKNOWN} effect it may have been committed
     */
    boolean settleAndCommit(List<? extends MessageSettlement> settlements);

    /** Rolls back what was not committed and releases the connection. */
    @Override
    void close();
}
