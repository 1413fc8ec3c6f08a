package dev.refrain.trials.simulation.law;

import dev.refrain.api.LeaseExpiryPolicy;
import dev.refrain.store.RecordState;
import dev.refrain.store.RecordWrite;
import dev.refrain.store.Resolution;
import java.util.function.Consumer;

/** Rule of the state diagram: which actor may move a record from which state to which, and when. */
final class StateTransitionRule implements InvariantRule {

    @Override
    public void on(SimulationEvent happening, Consumer<String> broken) {
        if (happening instanceof SimulationEvent.Step step && step.sameRecord() && step.changed() && !lawful(step)) {
            broken.accept(TraceText.brief(step.deed()) + " brought "
                    + step.before().get() + " to " + step.after().get() + " at " + TraceText.clock(step.at()));
        }
    }

    private static boolean lawful(SimulationEvent.Step step) {
        var before = step.before().orElseThrow();
        var after = step.after().orElseThrow();
        boolean sameFence = before.record().fence() == after.record().fence();
        boolean nextFence = before.record().fence() + 1 == after.record().fence();
        var from = before.record().state();
        var to = after.record().state();
        return switch (step.deed()) {
            case StoreAction.Claimed claimed -> {
                // Of an erased record nothing is left to compare with.
                boolean alike = before.record()
                        .fingerprint()
                        .map(claimed.request().fingerprint()::equals)
                        .orElse(true);
                yield alike
                        && (to == RecordState.ATTENTION
                                ? sameFence && heldOver(before, step)
                                : nextFence && free(before, step));
            }
            case StoreAction.Wrote wrote ->
                sameFence
                        && (from == RecordState.IN_PROGRESS
                                || (from == RecordState.ATTENTION && wrote.write() instanceof RecordWrite.Complete));
            case StoreAction.Swept swept ->
                sameFence
                        && from == RecordState.IN_PROGRESS
                        && !before.leaseEnd().plus(swept.grace()).isAfter(step.at())
                        && to
                                == (before.record().takeOver() == LeaseExpiryPolicy.HOLD
                                        ? RecordState.ATTENTION
                                        : RecordState.RELEASED);
            case StoreAction.TakenUp taken ->
                sameFence
                        && to == RecordState.ATTENTION
                        && (from == RecordState.RELEASED
                                || !before.leaseEnd()
                                        .plus(taken.order().gracePeriod())
                                        .isAfter(step.at()));
            case StoreAction.Resolved resolved ->
                nextFence
                        && from == RecordState.ATTENTION
                        && to
                                == (resolved.resolution().verdict() instanceof Resolution.Done
                                        ? RecordState.COMPLETED
                                        : RecordState.RELEASED);
            case StoreAction.Committed committed -> free(before, step) && to == RecordState.COMPLETED && nextFence;
            case StoreAction.Erased erased ->
                sameFence
                        && from == to
                        && before.record().isSettled()
                        && before.expiry().equals(after.expiry());
            case StoreAction.Reaped reaped -> false;
            case StoreAction.Read read -> false;
        };
    }

    private static boolean heldOver(TimedRecordSnapshot before, SimulationEvent.Step step) {
        return before.record().state() == RecordState.IN_PROGRESS
                && before.record().takeOver() == LeaseExpiryPolicy.HOLD
                && before.leaseOverAt(step.at());
    }

    private static boolean free(TimedRecordSnapshot before, SimulationEvent.Step step) {
        return before.record().state() == RecordState.RELEASED
                || (before.record().state() == RecordState.IN_PROGRESS
                        && before.record().takeOver() == LeaseExpiryPolicy.RESUME
                        && before.leaseOverAt(step.at()));
    }
}
