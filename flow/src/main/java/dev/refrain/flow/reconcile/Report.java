package dev.refrain.flow.reconcile;

import dev.refrain.store.ledger.Finding.Kind;
import java.util.Map;

/**
 * What came of one comparison.
 *
 * @param read how many entries the ledger showed
 * @param found how many of each kind were not found before
 * @param closed how many findings are none any more
 */
public record Report(long read, Map<Kind, Integer> found, int closed) {}
