package dev.refrain.trials.simulation.law;

import dev.refrain.key.RecordId;
import dev.refrain.outcome.Retention;
import dev.refrain.store.State;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Consumer;

/** Invariant 5: only what is settled and expired goes, and what comes after it has a new id. */
final class Lives implements Rule {

    private final Set<RecordId> known = new HashSet<>();

    @Override
    public void on(Happening happening, Consumer<String> broken) {
        if (!(happening instanceof Happening.Step step)) {
            return;
        }
        if (step.before().isPresent() && !step.sameRecord() && !maySink(step)) {
            broken.accept(
                    Text.brief(step.deed()) + " made " + step.before().get() + " vanish at " + Text.clock(step.at()));
        }
        if (step.after().isPresent() && !step.sameRecord()) {
            var id = step.after().get().record().id();
            if (!known.add(id)) {
                broken.accept("record id " + Text.brief(id) + " was used again");
            }
        }
        step.after()
                .filter(r -> r.record().state() == State.COMPLETED && step.changed() && !step.erased())
                .flatMap(Seen::expiry)
                .filter(end -> end.isBefore(step.at().plus(Retention.AFTER_COMPLETION)))
                .ifPresent(end -> broken.accept(
                        "completed at " + Text.clock(step.at()) + " but kept only until " + Text.clock(end)));
    }

    /** A record that is released after its retention is over is gone in the same step. */
    private static boolean maySink(Happening.Step step) {
        var before = step.before().orElseThrow();
        boolean lateRelease =
                before.expiry().filter(end -> !step.at().isBefore(end)).isPresent()
                        && (step.deed() instanceof Deed.Wrote || step.deed() instanceof Deed.Swept);
        return before.expiredAt(step.at()) || lateRelease;
    }
}
