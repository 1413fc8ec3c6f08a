package dev.refrain.trials.simulation.law;

import dev.refrain.key.Identity;
import dev.refrain.key.RecordId;
import dev.refrain.run.RunResult;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;

/** What the work wanted kept for longer than any world lasts is not forgotten: whoever comes later does not run. */
final class KeptAsSaid implements Rule {

    private record Kept(RecordId id, long sinceNanos) {}

    private final Steered steered = new Steered();
    private final Map<Identity, Kept> all = new HashMap<>();

    @Override
    public void on(Happening happening, Consumer<String> broken) {
        switch (happening) {
            case Happening.Ended ended -> steered.hear(ended);
            case Happening.Answered answered -> {
                if (answered.how() instanceof Ending.Result ended && ended.result() instanceof RunResult.Ran ran) {
                    remember(answered, ran);
                }
            }
            case Happening.Began began -> {
                // What a transaction makes is not there before it commits: it may have looked before the other was
                // done.
                if (began.run().attempt().mode() == Attempt.Mode.LEASED) {
                    compare(began.run(), broken);
                }
            }
            default -> {}
        }
    }

    private void remember(Happening.Answered answered, RunResult.Ran ran) {
        var run = answered.run().orElseThrow();
        // A transaction that goes on with a record leaves the record's own time as it is.
        boolean says = run.attempt().mode() == Attempt.Mode.LEASED || run.fence() == 1;
        if (says
                && steered.isToBeKeptLonger(run)
                && steered.kept(run, ran.answer()).isPresent()) {
            long now =
                    answered.attempt().begunNanos() + answered.patience().took().toNanos();
            all.put(answered.attempt().identity(), new Kept(run.id(), now));
        }
    }

    private void compare(Run run, Consumer<String> broken) {
        var kept = all.get(run.attempt().identity());
        if (kept != null && run.attempt().begunNanos() > kept.sinceNanos()) {
            broken.accept(run + " began, though " + Text.brief(kept.id()) + " was to be kept until after the end");
        }
    }
}
