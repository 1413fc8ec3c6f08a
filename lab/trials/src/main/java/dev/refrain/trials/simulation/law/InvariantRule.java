package dev.refrain.trials.simulation.law;

import java.util.function.Consumer;

/** Rule that must hold in every world. */
public interface InvariantRule {

    /** Checks one event and reports a violation. */
    void on(SimulationEvent happening, Consumer<String> broken);
}
