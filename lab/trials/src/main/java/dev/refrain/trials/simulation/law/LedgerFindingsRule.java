package dev.refrain.trials.simulation.law;

import java.util.TreeSet;
import java.util.function.Consumer;

/** Rule: the reconciler finds every entry without its partner, on either side, and raises no false alarm. */
final class LedgerFindingsRule implements InvariantRule {

    private boolean seen;

    @Override
    public void on(SimulationEvent happening, Consumer<String> broken) {
        switch (happening) {
            case SimulationEvent.LedgerSeen end -> {
                seen = true;
                var keys = new TreeSet<>(end.truth().keySet());
                keys.addAll(end.found().keySet());
                for (String key : keys) {
                    var truth = end.truth().get(key);
                    var found = end.found().get(key);
                    if (truth != found) {
                        broken.accept(key + " is " + (truth == null ? "fine" : truth) + ", and was found "
                                + (found == null ? "fine" : found));
                    }
                }
            }
            case SimulationEvent.WorldEnded end -> {
                if (!seen) {
                    broken.accept("nobody could list the findings");
                }
            }
            default -> {}
        }
    }
}
