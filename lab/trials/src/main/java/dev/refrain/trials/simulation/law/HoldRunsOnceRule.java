package dev.refrain.trials.simulation.law;

import dev.refrain.api.LeaseExpiryPolicy;
import dev.refrain.api.RecordId;
import dev.refrain.store.RecordWriteResponse;
import dev.refrain.store.Resolution;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;

/** Protocol §4, {@code hold}: at most one run, unless a person released it or the work said that nothing happened. */
final class HoldRunsOnceRule implements InvariantRule {

    private final Map<RecordId, Integer> runs = new HashMap<>();
    private final Map<RecordId, Integer> allowed = new HashMap<>();

    @Override
    public void on(SimulationEvent happening, Consumer<String> broken) {
        switch (happening) {
            case SimulationEvent.Began began -> {
                var run = began.run();
                if (run.attempt().takeOver() == LeaseExpiryPolicy.HOLD
                        && runs.merge(run.id(), 1, Integer::sum) > 1 + allowed.getOrDefault(run.id(), 0)) {
                    broken.accept(run + " began, and nobody had allowed another one");
                }
            }
            case SimulationEvent.Ended ended -> {
                if (said(ended.how()) == ObservedEnding.Steering.NOTHING_HAPPENED) {
                    allowed.merge(ended.run().id(), 1, Integer::sum);
                }
            }
            case SimulationEvent.Step step -> {
                if (step.deed() instanceof StoreAction.Resolved resolved
                        && resolved.answer() instanceof RecordWriteResponse.Written
                        && resolved.resolution().verdict() instanceof Resolution.RunAgain) {
                    allowed.merge(resolved.resolution().claim().id(), 1, Integer::sum);
                }
            }
            default -> {}
        }
    }

    private static ObservedEnding.Steering said(ObservedEnding how) {
        return switch (how) {
            case ObservedEnding.Gave gave -> gave.steering();
            case ObservedEnding.Threw threw -> threw.steering();
            default -> ObservedEnding.Steering.NONE;
        };
    }
}
