package dev.refrain.store.contract;

import dev.refrain.store.StoreTransactionFactory;
import dev.refrain.store.ledger.LedgerStore;
import dev.refrain.store.outbox.OutboxStore;

/** What the suites that write in the caller's transactions have in common. */
interface TransactionalSuite<C> extends StoreContractPart {

    @SuppressWarnings("unchecked")
    default TransactionalStoreHarness<C> database() {
        if (client().harness() instanceof TransactionalStoreHarness<?> harness) {
            return (TransactionalStoreHarness<C>) harness;
        }
        throw new AssertionError("This suite writes in transactions of the caller's: let newHarness() give a"
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
    default LedgerStore<C> ledger() {
        return client().ability(LedgerStore.class);
    }
}
