package dev.refrain.store;

import java.time.Duration;

/**
 * Store ability: joins the caller's transaction, so that claim, work and outcome commit together or not at all.
 *
 * @param <C> the work's access to the database, such as {@code java.sql.Connection}
 */
public interface StoreTransactionFactory<C> {

    /** Returns the store whose records these transactions write. */
    Store store();

    /**
     * Returns true if these transactions write the records of that store as it writes them itself: if it is their {@link #store}, or a decorator that
     * changes nothing of what is written and so has their store as an {@linkplain Store#ability ability}.
     */
    default boolean belongTo(Store other) {
        var own = store();
        return own.equals(other)
                || other.ability(own.getClass()).filter(own::equals).isPresent();
    }

    /** Begins a new transaction, which the run commits or rolls back. */
    StoreTransaction<C> begin();

    /**
     * Begins a new transaction whose waits end in time: a claim that is not answered by then fails without effect, a commit fails as
     * {@code UNKNOWN}. By default as {@link #begin()}, for stores that never wait for long.
     */
    default StoreTransaction<C> begin(TransactionLimits limits) {
        return begin();
    }

    /** Begins a transaction for one phase of an operation that was claimed before. */
    PhaseTransaction<C> beginPhase();

    /**
     * Begins a transaction for one phase whose waits end in time: a connection that does not come by then fails without effect, a commit
     * fails as {@code UNKNOWN}. Callers that wait for connections are served in turn of their scopes; none is refused because many wait: its
     * run was admitted before. By default as {@link #beginPhase()}, for stores that never wait for long.
     *
     * @param scope the scope of the run's key
     * @param runHasBegun whether something of the run may have happened: a phase began, or a call was sent. Such a phase does not wait behind
     *     all new work of its scope: what it commits may be an answer that cannot be asked for again
     */
    default PhaseTransaction<C> beginPhase(String scope, boolean runHasBegun, TransactionLimits limits) {
        return beginPhase();
    }

    /**
     * Returns true if a transaction of this scope would begin within this patience, as far as can be told. Asked before anything is computed for
     * a call, and in a flood for each: waits for nothing and takes no lock.
     */
    default boolean hasCapacity(String scope, Duration patience) {
        return true;
    }

    /** Joins the caller's open transaction, which the caller commits or rolls back. */
    StoreTransaction<C> join(C connection);

    /**
     * Joins the caller's open transaction, with calls to the store that end in time. By default as {@link #join(Object)}, for stores that
     * never wait for long.
     */
    default StoreTransaction<C> join(C connection, TransactionLimits limits) {
        return join(connection);
    }
}
