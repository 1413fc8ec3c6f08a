package dev.refrain.trials.simulation.law;

import java.util.function.Consumer;

/** Invariant 3 for callers: every call ends, and not much later than agreed. */
final class CallsTerminateRule implements InvariantRule {

    @Override
    public void on(SimulationEvent happening, Consumer<String> broken) {
        switch (happening) {
            case SimulationEvent.Answered answered -> {
                var patience = answered.patience();
                if (patience.took().compareTo(patience.atMost()) > 0) {
                    broken.accept(
                            answered.attempt() + " took " + patience.took() + ", agreed were " + patience.atMost());
                }
            }
            case SimulationEvent.WorldEnded end ->
                end.open().forEach(attempt -> broken.accept(attempt + " never ended"));
            default -> {}
        }
    }
}
