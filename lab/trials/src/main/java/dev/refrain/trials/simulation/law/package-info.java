/** The protocol's invariants, each a rule that looks at everything that happens in a simulated world. */
@NullMarked
package dev.refrain.trials.simulation.law;

import org.jspecify.annotations.NullMarked;
