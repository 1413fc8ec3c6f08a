package dev.refrain.trials.simulation.law;

import dev.refrain.store.Resolution;
import dev.refrain.store.State;
import dev.refrain.store.TakeOver;
import dev.refrain.store.Write;
import java.util.function.Consumer;

/** The arrows of the state diagram: who may bring a record from which state to which, and when. */
final class Leases implements Rule {

    @Override
    public void on(Happening happening, Consumer<String> broken) {
        if (happening instanceof Happening.Step step && step.sameRecord() && step.changed() && !lawful(step)) {
            broken.accept(Text.brief(step.deed()) + " brought " + step.before().get() + " to "
                    + step.after().get() + " at " + Text.clock(step.at()));
        }
    }

    private static boolean lawful(Happening.Step step) {
        var before = step.before().orElseThrow();
        var after = step.after().orElseThrow();
        boolean sameFence = before.record().fence() == after.record().fence();
        boolean nextFence = before.record().fence() + 1 == after.record().fence();
        var from = before.record().state();
        var to = after.record().state();
        return switch (step.deed()) {
            case Deed.Claimed claimed -> {
                // Of an erased record nothing is left to compare with.
                boolean alike = before.record()
                        .fingerprint()
                        .map(claimed.request().fingerprint()::equals)
                        .orElse(true);
                yield alike
                        && (to == State.ATTENTION
                                ? sameFence && heldOver(before, step)
                                : nextFence && free(before, step));
            }
            case Deed.Wrote wrote ->
                sameFence
                        && (from == State.IN_PROGRESS
                                || (from == State.ATTENTION && wrote.write() instanceof Write.Complete));
            case Deed.Swept swept ->
                sameFence
                        && from == State.IN_PROGRESS
                        && !before.leaseEnd().plus(swept.grace()).isAfter(step.at())
                        && to == (before.record().takeOver() == TakeOver.HOLD ? State.ATTENTION : State.RELEASED);
            case Deed.TakenUp taken ->
                sameFence
                        && to == State.ATTENTION
                        && (from == State.RELEASED
                                || !before.leaseEnd()
                                        .plus(taken.order().gracePeriod())
                                        .isAfter(step.at()));
            case Deed.Resolved resolved ->
                nextFence
                        && from == State.ATTENTION
                        && to
                                == (resolved.resolution().verdict() instanceof Resolution.Done
                                        ? State.COMPLETED
                                        : State.RELEASED);
            case Deed.Committed committed -> free(before, step) && to == State.COMPLETED && nextFence;
            case Deed.Erased erased ->
                sameFence
                        && from == to
                        && before.record().isSettled()
                        && before.expiry().equals(after.expiry());
            case Deed.Reaped reaped -> false;
            case Deed.Read read -> false;
        };
    }

    private static boolean heldOver(Seen before, Happening.Step step) {
        return before.record().state() == State.IN_PROGRESS
                && before.record().takeOver() == TakeOver.HOLD
                && before.leaseOverAt(step.at());
    }

    private static boolean free(Seen before, Happening.Step step) {
        return before.record().state() == State.RELEASED
                || (before.record().state() == State.IN_PROGRESS
                        && before.record().takeOver() == TakeOver.RESUME
                        && before.leaseOverAt(step.at()));
    }
}
