package dev.refrain.reconcile;

import dev.refrain.store.ledger.LedgerFinding.FindingKind;
import java.util.Map;

/**
 * What came of one comparison.
 *
 * @param entriesRead how many entries the ledger showed
 * @param newFindings how many of each kind were not found before
 * @param closedFindings how many findings are none any more
 */
public record ReconciliationReport(long entriesRead, Map<FindingKind, Integer> newFindings, int closedFindings) {}
