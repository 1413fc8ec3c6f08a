/** Deterministic simulation: thousands of small worlds, each made and lived through from one seed. */
@NullMarked
package dev.refrain.trials.simulation;

import org.jspecify.annotations.NullMarked;
