/** Threads, time and chance that a seed owns: the machine on which simulated processes run. */
@NullMarked
package dev.refrain.trials.simulation.machine;

import org.jspecify.annotations.NullMarked;
