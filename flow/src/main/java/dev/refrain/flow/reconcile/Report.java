package dev.refrain.flow.reconcile;

import dev.refrain.store.ledger.Finding.Kind;
import java.util.Map;

/**
 * What came of one comparison.
 *
 * @param entriesRead how many entries the ledger showed
 * @param newFindings how many of each kind were not found before
 * @param closedFindings how many findings are none any more
 */
public record Report(long entriesRead, Map<Kind, Integer> newFindings, int closedFindings) {}
