package dev.refrain.trials.simulation.law;

import dev.refrain.api.LeaseExpiryPolicy;
import dev.refrain.store.RecordState;
import java.util.function.Consumer;

/** Protocol §6, the completer: takes over flows that their callers left, and none that is fresh, finished or being worked on. */
final class CompleterEligibilityRule implements InvariantRule {

    @Override
    public void on(SimulationEvent happening, Consumer<String> broken) {
        if (happening instanceof SimulationEvent.Step step
                && step.deed() instanceof StoreAction.TakenUp taken
                && taken.answer().abandoned().stream()
                        .anyMatch(left -> left.identity().equals(step.identity()))
                && step.before().filter(seen -> left(seen, taken, step)).isEmpty()) {
            broken.accept("the completer took up " + step.before() + " at " + TraceText.clock(step.at()));
        }
    }

    private static boolean left(TimedRecordSnapshot seen, StoreAction.TakenUp taken, SimulationEvent.Step step) {
        boolean over = seen.record().state() == RecordState.IN_PROGRESS
                && seen.record().takeOver() == LeaseExpiryPolicy.RESUME
                && !seen.leaseEnd().plus(taken.order().gracePeriod()).isAfter(step.at());
        return seen.isFlow() && (seen.record().state() == RecordState.RELEASED || over);
    }
}
