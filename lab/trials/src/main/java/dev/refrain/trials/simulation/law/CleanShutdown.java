package dev.refrain.trials.simulation.law;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Invariant 9: a process that was shut down in peace leaves no attention behind. A flow may: a call that is cut off is as unknowable as one
 * whose answer was lost.
 */
final class CleanShutdown implements Rule {

    private final List<Happening.ShutDown> peaceful = new ArrayList<>();

    @Override
    public void on(Happening happening, Consumer<String> broken) {
        switch (happening) {
            case Happening.ShutDown down -> {
                if (down.left().isEmpty() && down.undisturbed()) {
                    peaceful.add(down);
                }
            }
            case Happening.Step step -> {
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
