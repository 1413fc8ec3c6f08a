package dev.refrain.store;
/** Answer of a store to a {@link ClaimRequest}. */
public sealed interface ClaimResponse {

    /** The caller holds the claim and runs from the record's recovery point. */
    record Acquired(StoredRecord record) implements ClaimResponse {}

    /** The claim was not acquired; this record exists. */
    record Found(StoredRecord record) implements ClaimResponse {}

    /**
     * This element failed and the others did not: its data cannot be stored or read, its row is locked, or the store is too busy.
     * The failure says whether anything of it can have happened and whether to retry.
     */
    record Failed(StoreException failure) implements ClaimResponse {}

    /** A transaction that has not committed holds the key; nothing else is known of it. */
    record LockedByTransaction() implements ClaimResponse {}
}
