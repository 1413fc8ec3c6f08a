package dev.refrain.trials.simulation.law;

import java.util.HashSet;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Invariant 3: once faults have stopped, every record settles. Only {@code hold} and flows end in attention, and no flow stays between two
 * phases.
 */
final class NothingStuckRule implements InvariantRule {

    private final Set<String> flows = new HashSet<>();

    @Override
    public void on(SimulationEvent happening, Consumer<String> broken) {
        switch (happening) {
            case SimulationEvent.WorldBegan began -> flows.addAll(began.flows().keySet());
            case SimulationEvent.WorldEnded end ->
                end.records().forEach((identity, seen) -> {
                    if (!rests(seen, flows.contains(identity.namespace()))) {
                        broken.accept("in the end there is " + seen);
                    }
                });
            default -> {}
        }
    }

    private static boolean rests(TimedRecordSnapshot seen, boolean flow) {
        return switch (seen.record().state()) {
            case IN_PROGRESS -> false;
            case ATTENTION -> flow || seen.isHeldForAttention();
            case RELEASED -> !seen.isFlow();
            case COMPLETED -> true;
        };
    }
}
