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
     *
     * @param storeAway true if it failed because the store, or the part of it that has this key, could not be asked, although others were
     *     answered from elsewhere: a call that fails open may run then. A store that is merely too busy was asked
     */
    record Failed(StoreException failure, boolean storeAway) implements ClaimResponse {

        /** Creates the failure of an element that the store was asked for. */
        public Failed(StoreException failure) {
            this(failure, false);
        }
    }

    /** A transaction that has not committed holds the key; nothing else is known of it. */
    record LockedByTransaction() implements ClaimResponse {}
}
