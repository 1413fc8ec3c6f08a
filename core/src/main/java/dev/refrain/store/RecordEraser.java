package dev.refrain.store;
/**
 * Store ability: erases the contents of the records of a scope or a person.
 *
 * <p>Thread-safe; failures are {@link StoreException}s.
 */
public interface RecordEraser {

    /**
     * Erases the contents of the records of a scope or a person: payloads, fingerprint, names. The bare record stays until it
     * expires, so that an erased payment is not paid again. Records in progress, in attention or released between two phases of a
     * flow are skipped and counted: they cannot be finished without their contents; only a request that they {@linkplain KeptRequestReader kept for people} is removed. Writes actor, time and reason into the
     * store's audit trail in the same step.
     *
     * <p>A store with an outbox or a ledger deletes delivered messages of the scope or person in the same way, and removes the names from ledger
     * entries on which both sides agree. What still has to be delivered, decided or compared is left and counted.
     */
    ErasureResult erase(ErasureRequest order);
}
