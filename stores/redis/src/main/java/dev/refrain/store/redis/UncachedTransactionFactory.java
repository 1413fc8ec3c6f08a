package dev.refrain.store.redis;

import dev.refrain.store.PhaseTransaction;
import dev.refrain.store.Store;
import dev.refrain.store.StoreTransaction;
import dev.refrain.store.StoreTransactionFactory;
import dev.refrain.store.TransactionLimits;
import java.time.Duration;

/** Transactions of the store inside, which ask it alone: what they see may be their own and be rolled back. */
record UncachedTransactionFactory<C>(Store store, StoreTransactionFactory<C> plain)
        implements StoreTransactionFactory<C> {

    @Override
    public StoreTransaction<C> begin() {
        return plain.begin();
    }

    @Override
    public StoreTransaction<C> begin(TransactionLimits limits) {
        return plain.begin(limits);
    }

    @Override
    public boolean hasCapacity(String scope, Duration patience) {
        return plain.hasCapacity(scope, patience);
    }

    @Override
    public PhaseTransaction<C> beginPhase() {
        return plain.beginPhase();
    }

    @Override
    public PhaseTransaction<C> beginPhase(String scope, boolean runHasBegun, TransactionLimits limits) {
        return plain.beginPhase(scope, runHasBegun, limits);
    }

    @Override
    public StoreTransaction<C> join(C connection) {
        return plain.join(connection);
    }

    @Override
    public StoreTransaction<C> join(C connection, TransactionLimits limits) {
        return plain.join(connection, limits);
    }
}
