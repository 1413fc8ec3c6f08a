package dev.refrain.trials.simulation.law;

import java.util.function.Consumer;

/** One thing that must never be seen. */
public interface Rule {

    /** Says what is wrong, if anything is. */
    void on(Happening happening, Consumer<String> broken);
}
