package dev.refrain.store.ledger;
/**
 * What a ledger shows.
 *
 * @param id how the ledger itself names the entry: two entries under one key have two
 * @param key under which it was sent; for an entry that has none, anything that is no key of ours, such as its id
 * @param amount in the smallest unit
 */
public record ReportedLedgerEntry(String id, String key, long amount) {}
