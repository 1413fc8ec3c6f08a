package dev.refrain.trials.simulation.law;

import dev.refrain.store.State;
import dev.refrain.store.TakeOver;
import java.util.function.Consumer;

/** Invariant 3: once faults have stopped, every record comes to rest, and only {@code hold} rests in attention. */
final class NothingStuck implements Rule {

    @Override
    public void on(Happening happening, Consumer<String> broken) {
        if (happening instanceof Happening.WorldEnded end) {
            for (var seen : end.records()) {
                var state = seen.record().state();
                if (state == State.IN_PROGRESS
                        || (state == State.ATTENTION && seen.record().takeOver() != TakeOver.HOLD)) {
                    broken.accept("in the end there is " + seen);
                }
            }
        }
    }
}
