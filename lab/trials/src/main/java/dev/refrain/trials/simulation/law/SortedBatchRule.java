package dev.refrain.trials.simulation.law;

import java.util.function.Consumer;

/** Protocol §4: duplicates folded, rows ordered by primary key. */
final class SortedBatchRule implements InvariantRule {

    @Override
    public void on(SimulationEvent happening, Consumer<String> broken) {
        if (happening instanceof SimulationEvent.Batch batch) {
            var lookups = batch.lookups();
            for (int i = 1; i < lookups.size(); i++) {
                if (lookups.get(i - 1).compareTo(lookups.get(i)) >= 0) {
                    broken.accept("a batch of " + lookups.size() + " is not in order, or has a record twice");
                }
            }
        }
    }
}
