/**
 * Compares what was sent to another system with what that system's ledger shows, both ways, and lists what does not agree for people to
 * act on.
 */
@NullMarked
package dev.refrain.reconcile;

import org.jspecify.annotations.NullMarked;
