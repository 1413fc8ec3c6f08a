/** Stores that break one rule each: the simulation must notice every one of them. */
@NullMarked
package dev.refrain.trials.simulation.teeth;

import org.jspecify.annotations.NullMarked;
