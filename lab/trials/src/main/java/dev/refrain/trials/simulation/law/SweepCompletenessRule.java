package dev.refrain.trials.simulation.law;

import dev.refrain.store.RecordState;
import java.util.function.Consumer;

/**
 * Invariant 3 for the sweeper: whatever is past its lease and the grace period is found by the next sweep, wherever the store's clock has
 * been meanwhile.
 */
final class SweepCompletenessRule implements InvariantRule {

    @Override
    public void on(SimulationEvent happening, Consumer<String> broken) {
        if (happening instanceof SimulationEvent.SweepEnded swept) {
            var due = swept.at().minus(swept.grace());
            swept.left().stream()
                    .filter(seen -> seen.record().state() == RecordState.IN_PROGRESS && seen.leaseOverAt(due))
                    .forEach(seen -> broken.accept("the sweep of " + swept.process() + " at "
                            + TraceText.clock(swept.at()) + " missed " + seen));
        }
    }
}
