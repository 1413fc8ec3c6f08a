package dev.refrain.store.ledger;

import java.time.Instant;

/**
 * One reading of a ledger from a moment on to its end.
 *
 * @param begun by the store's clock
 * @param since what was entered before that need not be read again
 */
public record LedgerReadPass(Instant begun, Instant since) {}
