package dev.refrain.trials.simulation.world;

import dev.refrain.trials.simulation.law.InvariantChecker;
import dev.refrain.trials.simulation.law.SimulatedRun;
import dev.refrain.trials.simulation.law.SimulationEvent;
import java.util.HashSet;
import java.util.Set;

/** Payment provider that honours idempotency keys, as Stripe does: a key has one effect. */
final class SimulatedProvider {

    private final InvariantChecker law;
    private final Set<String> seen = new HashSet<>();

    SimulatedProvider(InvariantChecker law) {
        this.law = law;
    }

    void charge(SimulatedRun run, String step, String key) {
        law.check(new SimulationEvent.Derived(run, step, key));
        if (seen.add(key)) {
            law.check(new SimulationEvent.Effect(run, step, key));
        }
    }
}
