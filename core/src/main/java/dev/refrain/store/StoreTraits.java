package dev.refrain.store;
/**
 * What a store can promise, asked instead of guessed.
 *
 * @param name for messages, such as {@code PostgreSQL 18}
 * @param correct whether every invariant of the protocol holds, also across the store's own failover
 * @param durable whether an acknowledged write survives the store's process
 */
public record StoreTraits(String name, boolean correct, boolean durable) {}
