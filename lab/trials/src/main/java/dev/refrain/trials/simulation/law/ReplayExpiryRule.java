package dev.refrain.trials.simulation.law;

import dev.refrain.api.OperationResult;
import dev.refrain.api.RecordId;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** Invariant 5: an expired record is never replayed, not from a cache either. */
final class ReplayExpiryRule implements InvariantRule {

    private final Map<RecordId, Optional<Instant>> ends = new HashMap<>();

    @Override
    public void on(SimulationEvent happening, Consumer<String> broken) {
        switch (happening) {
            case SimulationEvent.Step step ->
                step.after().ifPresent(seen -> ends.put(seen.record().id(), seen.expiry()));
            case SimulationEvent.Answered answered -> {
                if (answered.how() instanceof ObservedEnding.Result ended
                        && ended.result() instanceof OperationResult.Replayed replayed) {
                    ends.getOrDefault(replayed.id(), Optional.empty())
                            .filter(end -> isLate(answered, end))
                            .ifPresent(end -> broken.accept(answered.attempt() + " began at "
                                    + TraceText.clock(answered.attempt().begun()) + " and was answered with "
                                    + TraceText.brief(replayed.id()) + ", which ended at " + TraceText.clock(end)));
                }
            }
            default -> {}
        }
    }

    private static boolean isLate(SimulationEvent.Answered answered, Instant end) {
        return !answered.attempt().begun().isBefore(end.plus(answered.patience().clockMayLag()));
    }
}
