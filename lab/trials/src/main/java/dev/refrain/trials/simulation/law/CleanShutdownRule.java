package dev.refrain.trials.simulation.law;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Invariant 9: a graceful shutdown leaves no attention behind. A flow may: a call that is cut off is as unknowable as one whose answer was
 * lost.
 */
final class CleanShutdownRule implements InvariantRule {

    private final List<SimulationEvent.ShutDown> peaceful = new ArrayList<>();

    @Override
    public void on(SimulationEvent happening, Consumer<String> broken) {
        switch (happening) {
            case SimulationEvent.ShutDown down -> {
                if (down.left().isEmpty() && down.undisturbed()) {
                    peaceful.add(down);
                }
            }
            case SimulationEvent.Step step -> {
                if (step.changed()
                        && step.after().filter(r -> r.isHeldForAttention()).isPresent()) {
                    var owner = step.after().get().record().owner();
                    peaceful.stream()
                            .filter(down -> down.runner().made(owner))
                            .forEach(down -> broken.accept(down.process() + " was shut down in peace and left "
                                    + step.after().get()));
                }
            }
            default -> {}
        }
    }
}
