package dev.refrain.trials.simulation.law;

import dev.refrain.api.RecordId;
import dev.refrain.api.Retention;
import dev.refrain.store.RecordState;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Consumer;

/** Invariant 5: only settled, expired records are deleted, and the next one has a new id. */
final class RecordLifetimeRule implements InvariantRule {

    private final Set<RecordId> known = new HashSet<>();

    @Override
    public void on(SimulationEvent happening, Consumer<String> broken) {
        if (!(happening instanceof SimulationEvent.Step step)) {
            return;
        }
        if (step.before().isPresent() && !step.sameRecord() && !maySink(step)) {
            broken.accept(TraceText.brief(step.deed()) + " made "
                    + step.before().get() + " vanish at " + TraceText.clock(step.at()));
        }
        if (step.after().isPresent() && !step.sameRecord()) {
            var id = step.after().get().record().id();
            if (!known.add(id)) {
                broken.accept("record id " + TraceText.brief(id) + " was used again");
            }
        }
        step.after()
                .filter(r -> r.record().state() == RecordState.COMPLETED && step.changed() && !step.erased())
                .flatMap(TimedRecordSnapshot::expiry)
                .filter(end -> end.isBefore(step.at().plus(Retention.AFTER_COMPLETION)))
                .ifPresent(end -> broken.accept(
                        "completed at " + TraceText.clock(step.at()) + " but kept only until " + TraceText.clock(end)));
    }

    /** Returns whether the record may be gone: one that is released after its retention is deleted in the same step. */
    private static boolean maySink(SimulationEvent.Step step) {
        var before = step.before().orElseThrow();
        boolean lateRelease =
                before.expiry().filter(end -> !step.at().isBefore(end)).isPresent()
                        && (step.deed() instanceof StoreAction.Wrote || step.deed() instanceof StoreAction.Swept);
        return before.expiredAt(step.at()) || lateRelease;
    }
}
