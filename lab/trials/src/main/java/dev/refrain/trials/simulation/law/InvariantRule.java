package dev.refrain.trials.simulation.law;

import java.util.function.Consumer;

/** One thing that must never be seen. */
public interface InvariantRule {

    /** Says what is wrong, if anything is. */
    void on(SimulationEvent happening, Consumer<String> broken);
}
