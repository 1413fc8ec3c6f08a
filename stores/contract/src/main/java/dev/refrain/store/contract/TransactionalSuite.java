package dev.refrain.store.contract;

import dev.refrain.store.StoreTransactionFactory;
import dev.refrain.store.ledger.ReconciliationStore;
import dev.refrain.store.outbox.OutboxStore;

/** Common part of the suites that write in the caller's transactions. */
interface TransactionalSuite<C> extends StoreContractPart {

    @SuppressWarnings("unchecked")
    default TransactionalStoreHarness<C> database() {
        if (client().harness() instanceof TransactionalStoreHarness<?> harness) {
            return (TransactionalStoreHarness<C>) harness;
        }
        throw new AssertionError("This suite writes in the caller's transactions: let newHarness() return a"
                + " TransactionalStoreHarness.");
    }

    @SuppressWarnings("unchecked")
    default StoreTransactionFactory<C> transactions() {
        return client().ability(StoreTransactionFactory.class);
    }

    @SuppressWarnings("unchecked")
    default OutboxStore<C> outbox() {
        return client().ability(OutboxStore.class);
    }

    @SuppressWarnings("unchecked")
    default ReconciliationStore<C> ledger() {
        return client().ability(ReconciliationStore.class);
    }
}
