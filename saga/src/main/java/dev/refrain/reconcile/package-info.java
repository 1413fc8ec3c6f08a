/**
 * Reconciliation of sent calls with the ledgers of other systems, both ways. Differences are listed for people to resolve.
 */
@NullMarked
package dev.refrain.reconcile;

import org.jspecify.annotations.NullMarked;
