package dev.refrain.trials.simulation.world;

import dev.refrain.trials.simulation.law.Happening;
import dev.refrain.trials.simulation.law.Law;
import dev.refrain.trials.simulation.law.Run;
import java.util.HashSet;
import java.util.Set;

/** A payment provider that honours idempotency keys, as Stripe does: a key it has seen has no second effect. */
final class Provider {

    private final Law law;
    private final Set<String> seen = new HashSet<>();

    Provider(Law law) {
        this.law = law;
    }

    void charge(Run run, String step, String key) {
        law.check(new Happening.Derived(run, step, key));
        if (seen.add(key)) {
            law.check(new Happening.Effect(run, step, key));
        }
    }
}
