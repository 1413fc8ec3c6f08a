package dev.refrain.store.ledger;

import dev.refrain.store.ledger.LedgerFinding.FindingKind;
import java.util.List;
import java.util.Optional;

/**
 * Result of comparing a part of a ledger. Immutable.
 *
 * @param found the kinds of new findings, one per finding
 * @param closed how many findings were closed
 * @param last the key of the last compared entry; empty if there was none
 * @param more whether there may be more to compare
 */
public record LedgerCheckResult(List<FindingKind> found, int closed, Optional<String> last, boolean more) {}
