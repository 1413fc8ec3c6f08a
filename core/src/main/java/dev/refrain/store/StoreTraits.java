package dev.refrain.store;
/**
 * Guarantees and limits that a store declares.
 *
 * @param name for messages, such as {@code PostgreSQL 18}
 * @param correct whether every invariant of the protocol holds, also across the store's own failover
 * @param durable whether an acknowledged write survives the store's process
 * @param clock the clock that decides about leases and retention
 * @param limits the limits of batches and payloads
 * @param encrypted whether payloads are encrypted before they reach the database
 */
public record StoreTraits(
        String name, boolean correct, boolean durable, StoreClock clock, StoreLimits limits, boolean encrypted) {

    /** Traits of a store that does not encrypt. */
    public StoreTraits(String name, boolean correct, boolean durable, StoreClock clock, StoreLimits limits) {
        this(name, correct, durable, clock, limits, false);
    }

    /** Returns these traits with other limits, for a store that wraps another. */
    public StoreTraits withLimits(StoreLimits other) {
        return new StoreTraits(name, correct, durable, clock, other, encrypted);
    }

    /** Returns these traits for a store that encrypts payloads. */
    public StoreTraits withEncryption() {
        return new StoreTraits(name, correct, durable, clock, limits, true);
    }
}
