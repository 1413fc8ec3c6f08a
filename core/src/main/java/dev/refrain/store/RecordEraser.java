package dev.refrain.store;

/**
 * Store ability: erases what the records of a scope or a person say.
 *
 * <p>Safe for use by many threads; failures are {@link StoreException}s.
 */
public interface RecordEraser {

    /**
     * Removes what the records of a scope or a person say: payloads, fingerprint, names. The bare record stays until it
     * expires, so that an erased payment is not paid again. What is in progress, in attention or released between two phases
     * of a flow is left alone and counted: it cannot be finished without what it says. Writes who, when and why into the
     * store's audit trail in the same step.
     */
    ErasureResult erase(ErasureRequest order);
}
