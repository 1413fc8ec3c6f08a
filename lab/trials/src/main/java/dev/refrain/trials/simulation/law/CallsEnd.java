package dev.refrain.trials.simulation.law;

import java.util.function.Consumer;

/** Invariant 3 for callers: nobody waits for ever, and nobody much longer than was agreed. */
final class CallsEnd implements Rule {

    @Override
    public void on(Happening happening, Consumer<String> broken) {
        switch (happening) {
            case Happening.Answered answered -> {
                var patience = answered.patience();
                if (patience.took().compareTo(patience.atMost()) > 0) {
                    broken.accept(
                            answered.attempt() + " took " + patience.took() + ", agreed were " + patience.atMost());
                }
            }
            case Happening.WorldEnded end -> end.open().forEach(attempt -> broken.accept(attempt + " never ended"));
            default -> {}
        }
    }
}
