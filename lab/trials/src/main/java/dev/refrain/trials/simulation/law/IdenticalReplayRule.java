package dev.refrain.trials.simulation.law;

import dev.refrain.api.OperationResult;
import dev.refrain.api.Outcome;
import dev.refrain.api.RecordId;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/** Invariant 2 as callers see it: all answers for one record are identical, byte for byte. */
final class IdenticalReplayRule implements InvariantRule {

    private final ExpectedOutcomes steered = new ExpectedOutcomes();
    private final Map<RecordId, Outcome> heard = new HashMap<>();
    private final Set<RecordId> erased = new HashSet<>();

    @Override
    public void on(SimulationEvent happening, Consumer<String> broken) {
        switch (happening) {
            case SimulationEvent.Ended ended -> steered.hear(ended);
            case SimulationEvent.Step step -> {
                if (step.erased()) {
                    erased.add(step.after().orElseThrow().record().id());
                }
            }
            case SimulationEvent.Answered answered -> {
                if (answered.how() instanceof ObservedEnding.Result ended) {
                    compare(answered, ended.result(), broken);
                }
            }
            default -> {}
        }
    }

    private void compare(SimulationEvent.Answered answered, OperationResult result, Consumer<String> broken) {
        switch (result) {
            case OperationResult.Replayed replayed -> compare(answered, replayed.id(), replayed.outcome(), broken);
            case OperationResult.Ran ran -> {
                var run = answered.run().orElseThrow();
                steered.kept(run, ran.answer()).ifPresent(kept -> compare(answered, run.id(), kept, broken));
            }
            default -> {}
        }
    }

    private void compare(SimulationEvent.Answered answered, RecordId id, Outcome outcome, Consumer<String> broken) {
        if (erased.contains(id) && outcome instanceof Outcome.StateOnly) {
            return;
        }
        var first = heard.putIfAbsent(id, outcome);
        if (first != null && !first.equals(outcome)) {
            broken.accept(answered.attempt() + " was answered " + TraceText.brief(outcome) + " for "
                    + TraceText.brief(id) + ", someone before it " + TraceText.brief(first));
        }
    }
}
