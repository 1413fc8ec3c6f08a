package dev.refrain.store;
/** Answer of a store to a {@link ClaimRequest}. */
public sealed interface ClaimResponse {

    /** The asker holds the claim: run, from the record's recovery point. */
    record Acquired(StoredRecord record) implements ClaimResponse {}

    /** Not acquired, and this is what is there. */
    record Found(StoredRecord record) implements ClaimResponse {}

    /**
     * This element failed and the others did not: its data cannot be stored or read, its row is locked, or the store is too busy for it.
     * Whether anything of it happened, and whether it may be sent again, is in the failure.
     */
    record Failed(StoreException failure) implements ClaimResponse {}

    /** Someone holds the key in a transaction that has not committed: busy, and nothing can be said of it. */
    record LockedByTransaction() implements ClaimResponse {}
}
