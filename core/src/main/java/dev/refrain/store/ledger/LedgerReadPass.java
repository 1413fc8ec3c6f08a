package dev.refrain.store.ledger;

import java.time.Instant;

/**
 * One pass over a ledger, from a start time to its end. Immutable.
 *
 * @param begun start of the pass by the store's clock
 * @param since earlier entries need not be read again
 */
public record LedgerReadPass(Instant begun, Instant since) {}
