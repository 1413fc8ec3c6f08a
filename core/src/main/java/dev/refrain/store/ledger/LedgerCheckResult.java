package dev.refrain.store.ledger;

import dev.refrain.store.ledger.LedgerFinding.FindingKind;
import java.util.List;
import java.util.Optional;

/**
 * What came of judging.
 *
 * @param found what was not found before, one each
 * @param closed how many findings are none any more
 * @param last the key of the last one that was looked at; empty if there was none
 * @param more whether there may be more to look at
 */
public record LedgerCheckResult(List<FindingKind> found, int closed, Optional<String> last, boolean more) {}
