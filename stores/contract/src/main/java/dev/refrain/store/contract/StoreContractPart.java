package dev.refrain.store.contract;
/** Part of the contract whose tests are default methods, so that all parts run as one class, the store's own. */
interface StoreContractPart {

    /** Returns the client of the store under test, which is empty at first. */
    StoreTestClient client();
}
