package dev.refrain.store;

/**
 * Promises and bounds of a store, asked instead of guessed.
 *
 * @param name for messages, such as {@code PostgreSQL 18}
 * @param correct whether every invariant of the protocol holds, also across the store's own failover
 * @param durable whether an acknowledged write survives the store's process
 * @param clock whose clock decides about leases and retention
 * @param limits what it takes at once
 */
public record StoreTraits(String name, boolean correct, boolean durable, StoreClock clock, StoreLimits limits) {

    /** The same for a store that wraps another and has other limits. */
    public StoreTraits withLimits(StoreLimits other) {
        return new StoreTraits(name, correct, durable, clock, other);
    }
}
