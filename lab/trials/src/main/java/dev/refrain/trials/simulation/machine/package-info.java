/** Deterministic machine of the simulation: threads, time and randomness that a seed decides. */
@NullMarked
package dev.refrain.trials.simulation.machine;

import org.jspecify.annotations.NullMarked;
