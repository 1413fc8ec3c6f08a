package dev.refrain.store.ledger;

import java.time.Duration;

/**
 * How a part of a ledger's entries is judged.
 *
 * @param settling what is younger may still be under way and is not judged yet
 * @param sinceBegun how long ago the pass began: what we sent after that it need not have shown
 * @param after only entries whose key comes after this one
 * @param limit how many are looked at
 */
public record LedgerCheckRequest(String ledger, Duration settling, Duration sinceBegun, String after, int limit) {}
