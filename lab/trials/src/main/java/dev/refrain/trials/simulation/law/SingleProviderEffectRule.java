package dev.refrain.trials.simulation.law;

import dev.refrain.api.RecordId;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;

/** Invariant 4: at a provider that honours keys, one record has one effect, however often its work ran. */
final class SingleProviderEffectRule implements InvariantRule {

    private final Map<RecordId, SimulatedRun> first = new HashMap<>();

    @Override
    public void on(SimulationEvent happening, Consumer<String> broken) {
        if (happening instanceof SimulationEvent.Effect effect) {
            var earlier = first.putIfAbsent(effect.run().id(), effect.run());
            if (earlier != null) {
                broken.accept(effect.run() + " charged again what " + earlier + " had charged");
            }
        }
    }
}
