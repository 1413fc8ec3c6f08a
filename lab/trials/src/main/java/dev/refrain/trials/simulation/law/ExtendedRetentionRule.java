package dev.refrain.trials.simulation.law;

import dev.refrain.api.OperationResult;
import dev.refrain.api.RecordId;
import dev.refrain.api.ScopedKey;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;

/** Rule: an outcome whose work extended its retention beyond the world's end is replayed to every later caller. */
final class ExtendedRetentionRule implements InvariantRule {

    private record Kept(RecordId id, long sinceNanos) {}

    private final ExpectedOutcomes steered = new ExpectedOutcomes();
    private final Map<ScopedKey, Kept> all = new HashMap<>();

    @Override
    public void on(SimulationEvent happening, Consumer<String> broken) {
        switch (happening) {
            case SimulationEvent.Ended ended -> steered.hear(ended);
            case SimulationEvent.Answered answered -> {
                if (answered.how() instanceof ObservedEnding.Result ended
                        && ended.result() instanceof OperationResult.Ran ran) {
                    remember(answered, ran);
                }
            }
            case SimulationEvent.Began began -> {
                // What a transaction makes is not there before it commits: it may have looked before the other was
                // done.
                if (began.run().attempt().mode() == ClientAttempt.Mode.LEASED) {
                    compare(began.run(), broken);
                }
            }
            default -> {}
        }
    }

    private void remember(SimulationEvent.Answered answered, OperationResult.Ran ran) {
        var run = answered.run().orElseThrow();
        // A transaction that goes on with a record leaves the record's own time as it is.
        boolean says = run.attempt().mode() == ClientAttempt.Mode.LEASED || run.fence() == 1;
        if (says
                && steered.isToBeKeptLonger(run)
                && steered.kept(run, ran.answer()).isPresent()) {
            long now =
                    answered.attempt().begunNanos() + answered.patience().took().toNanos();
            all.put(answered.attempt().identity(), new Kept(run.id(), now));
        }
    }

    private void compare(SimulatedRun run, Consumer<String> broken) {
        var kept = all.get(run.attempt().identity());
        if (kept != null && run.attempt().begunNanos() > kept.sinceNanos()) {
            broken.accept(run + " began, though " + TraceText.brief(kept.id()) + " was to be kept until after the end");
        }
    }
}
