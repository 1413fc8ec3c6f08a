package dev.refrain.trials.simulation.law;

import dev.refrain.key.RecordId;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;

/** Invariant 4: at a provider that honours keys, one record has one effect, however often its work ran. */
final class EffectsOnce implements Rule {

    private final Map<RecordId, Run> first = new HashMap<>();

    @Override
    public void on(Happening happening, Consumer<String> broken) {
        if (happening instanceof Happening.Effect effect) {
            var earlier = first.putIfAbsent(effect.run().id(), effect.run());
            if (earlier != null) {
                broken.accept(effect.run() + " charged again what " + earlier + " had charged");
            }
        }
    }
}
