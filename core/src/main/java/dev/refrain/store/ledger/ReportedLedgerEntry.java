package dev.refrain.store.ledger;
/**
 * Entry of a ledger. Immutable.
 *
 * @param id the ledger's own id of the entry: two entries under one key have two
 * @param key the key under which it was sent; for an entry without one, anything that is no key of ours, such as its id
 * @param amount in the smallest unit
 */
public record ReportedLedgerEntry(String id, String key, long amount) {}
