package dev.refrain.trials.simulation.law;

import dev.refrain.key.RecordId;
import dev.refrain.store.Resolution;
import dev.refrain.store.TakeOver;
import dev.refrain.store.WriteAnswer;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;

/** Protocol §4, {@code hold}: at most one run, unless a person released it or the work said that nothing happened. */
final class HoldRunsOnce implements Rule {

    private final Map<RecordId, Integer> runs = new HashMap<>();
    private final Map<RecordId, Integer> allowed = new HashMap<>();

    @Override
    public void on(Happening happening, Consumer<String> broken) {
        switch (happening) {
            case Happening.Began began -> {
                var run = began.run();
                if (run.attempt().takeOver() == TakeOver.HOLD
                        && runs.merge(run.id(), 1, Integer::sum) > 1 + allowed.getOrDefault(run.id(), 0)) {
                    broken.accept(run + " began, and nobody had allowed another one");
                }
            }
            case Happening.Ended ended -> {
                if (said(ended.how()) == Ending.Steering.NOTHING_HAPPENED) {
                    allowed.merge(ended.run().id(), 1, Integer::sum);
                }
            }
            case Happening.Step step -> {
                if (step.deed() instanceof Deed.Resolved resolved
                        && resolved.answer() instanceof WriteAnswer.Written
                        && resolved.resolution().verdict() instanceof Resolution.RunAgain) {
                    allowed.merge(resolved.resolution().claim().id(), 1, Integer::sum);
                }
            }
            default -> {}
        }
    }

    private static Ending.Steering said(Ending how) {
        return switch (how) {
            case Ending.Gave gave -> gave.steering();
            case Ending.Threw threw -> threw.steering();
            default -> Ending.Steering.NONE;
        };
    }
}
