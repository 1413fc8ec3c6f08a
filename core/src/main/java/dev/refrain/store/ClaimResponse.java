package dev.refrain.store;
/** What a store says to a {@link ClaimRequest}. */
public sealed interface ClaimResponse {

    /** The asker holds the claim: run, from the record's recovery point. */
    record Acquired(StoredRecord record) implements ClaimResponse {}

    /** Not acquired, and this is what is there. */
    record Found(StoredRecord record) implements ClaimResponse {}

    /** Someone holds the key in a transaction that has not committed: busy, and nothing can be said of it. */
    record LockedByTransaction() implements ClaimResponse {}
}
