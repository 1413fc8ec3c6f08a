package dev.refrain.reconcile;

import dev.refrain.store.ledger.LedgerFinding.FindingKind;
import java.util.Map;

/**
 * Result of one comparison.
 *
 * @param entriesRead the number of entries that the ledger showed
 * @param newFindings the number of new findings, by kind
 * @param closedFindings the number of findings that were closed because both sides agree now
 */
public record ReconciliationReport(long entriesRead, Map<FindingKind, Integer> newFindings, int closedFindings) {}
