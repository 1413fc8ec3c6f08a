package dev.refrain.trials.simulation.law;

import java.util.function.Consumer;

/** Invariant 8: work runs without a claim only if the store is unavailable and its operation fails open, and then it is reported. */
final class FailOpenRule implements InvariantRule {

    @Override
    public void on(SimulationEvent happening, Consumer<String> broken) {
        if (happening instanceof SimulationEvent.FailedOpen open) {
            if (!open.allowed()) {
                broken.accept(open.run() + " began without protection, and its operation does not fail open");
            }
            if (!open.told()) {
                broken.accept(open.run() + " began without protection, and nobody was told");
            }
            if (open.inPeace()) {
                broken.accept(open.run() + " began without protection, though nothing kept it from asking the store");
            }
        }
    }
}
