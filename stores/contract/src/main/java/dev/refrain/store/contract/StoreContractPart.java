package dev.refrain.store.contract;
/** One part of the contract: its tests are default methods, so that all parts run as one class, the store's own. */
interface StoreContractPart {

    /** The store under test, empty at first. */
    StoreTestClient client();
}
