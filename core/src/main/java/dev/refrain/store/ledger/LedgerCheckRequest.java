package dev.refrain.store.ledger;

import java.time.Duration;

/**
 * Parameters for comparing a part of a ledger. Immutable.
 *
 * @param settling minimum age of compared entries; younger ones may still be in flight
 * @param sinceBegun how long ago the pass began; entries sent after that need not be in it
 * @param after compare only entries with a key after this one
 * @param limit how many entries are compared
 */
public record LedgerCheckRequest(String ledger, Duration settling, Duration sinceBegun, String after, int limit) {}
