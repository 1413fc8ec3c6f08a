/** A small world of processes, clients, operators and bad luck around one store. */
@NullMarked
package dev.refrain.trials.simulation.world;

import org.jspecify.annotations.NullMarked;
