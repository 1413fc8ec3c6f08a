package dev.refrain.trials.simulation.law;

import dev.refrain.key.RecordId;
import dev.refrain.outcome.Outcome;
import dev.refrain.run.RunResult;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/** Invariant 2 as callers see it: two of them compare what they were answered for one record, byte for byte. */
final class SameAnswers implements Rule {

    private final Steered steered = new Steered();
    private final Map<RecordId, Outcome> heard = new HashMap<>();
    private final Set<RecordId> erased = new HashSet<>();

    @Override
    public void on(Happening happening, Consumer<String> broken) {
        switch (happening) {
            case Happening.Ended ended -> steered.hear(ended);
            case Happening.Step step -> {
                if (step.erased()) {
                    erased.add(step.after().orElseThrow().record().id());
                }
            }
            case Happening.Answered answered -> {
                if (answered.how() instanceof Ending.Result ended) {
                    compare(answered, ended.result(), broken);
                }
            }
            default -> {}
        }
    }

    private void compare(Happening.Answered answered, RunResult result, Consumer<String> broken) {
        switch (result) {
            case RunResult.Replayed replayed -> compare(answered, replayed.id(), replayed.outcome(), broken);
            case RunResult.Ran ran -> {
                var run = answered.run().orElseThrow();
                steered.kept(run, ran.answer()).ifPresent(kept -> compare(answered, run.id(), kept, broken));
            }
            default -> {}
        }
    }

    private void compare(Happening.Answered answered, RecordId id, Outcome outcome, Consumer<String> broken) {
        if (erased.contains(id) && outcome instanceof Outcome.StateOnly) {
            return;
        }
        var first = heard.putIfAbsent(id, outcome);
        if (first != null && !first.equals(outcome)) {
            broken.accept(answered.attempt() + " was answered " + Text.brief(outcome) + " for " + Text.brief(id)
                    + ", someone before it " + Text.brief(first));
        }
    }
}
