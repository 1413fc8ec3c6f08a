package dev.refrain.trials.simulation.law;

import dev.refrain.api.RecordId;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;

/** Protocol §7: one derived key for a record and a step, for ever; never the same for two. */
final class StableDerivedKeyRule implements InvariantRule {

    private record Place(RecordId id, String step) {}

    private final Map<Place, String> keys = new HashMap<>();
    private final Map<String, Place> places = new HashMap<>();

    @Override
    public void on(SimulationEvent happening, Consumer<String> broken) {
        if (happening instanceof SimulationEvent.Derived derived) {
            var place = new Place(derived.run().id(), derived.step());
            var key = keys.putIfAbsent(place, derived.key());
            var other = places.putIfAbsent(derived.key(), place);
            if (key != null && !key.equals(derived.key())) {
                broken.accept(derived.run() + " got another key for " + derived.step() + " than the run before it");
            }
            if (other != null && !other.equals(place)) {
                broken.accept(derived.run() + " got the downstream key of " + other);
            }
        }
    }
}
