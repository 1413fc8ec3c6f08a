package dev.refrain.store;

/** What a store says to a {@link ClaimRequest}. */
public sealed interface ClaimAnswer {

    /** The asker holds the claim: run, from the record's recovery point. */
    record Acquired(StoredRecord record) implements ClaimAnswer {}

    /** Not acquired, and this is what is there. */
    record Found(StoredRecord record) implements ClaimAnswer {}

    /** Someone holds the key in a transaction that has not committed: busy, and nothing can be said of it. */
    record Unseen() implements ClaimAnswer {}
}
