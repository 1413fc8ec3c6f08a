package dev.refrain.trials.simulation.law;

import dev.refrain.api.RecordId;
import dev.refrain.store.OutcomeFormat;
import dev.refrain.store.RecordState;
import dev.refrain.store.RecordWrite;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;

/** Rule: a flow that completed by itself did everything that its answer says, and nothing else. */
final class FlowConsistencyRule implements InvariantRule {

    private static final Set<String> ALL = Set.of("orders", "bank", "payments", "receipts");
    private static final int DECLINED = 402;

    private final Map<RecordId, Set<String>> done = new HashMap<>();

    @Override
    public void on(SimulationEvent happening, Consumer<String> broken) {
        switch (happening) {
            case SimulationEvent.Inserted inserted -> note(inserted.about(), inserted.table());
            case SimulationEvent.Acted acted -> note(acted.about(), acted.system());
            case SimulationEvent.Step step -> {
                if (step.deed() instanceof StoreAction.Wrote wrote && wrote.write() instanceof RecordWrite.Complete) {
                    step.before()
                            .filter(seen -> seen.isFlow() && step.sameRecord())
                            .flatMap(seen -> step.after())
                            .filter(seen -> seen.record().state() == RecordState.COMPLETED)
                            .ifPresent(seen -> compare(seen, broken));
                }
            }
            default -> {}
        }
    }

    private void note(RecordId about, String what) {
        done.computeIfAbsent(about, id -> new HashSet<>()).add(what);
    }

    private void compare(TimedRecordSnapshot seen, Consumer<String> broken) {
        var outcome = seen.record().outcome().map(OutcomeFormat::decode);
        var due = outcome.filter(answer -> answer.status() == DECLINED).isPresent() ? Set.of("orders") : ALL;
        var found = done.getOrDefault(seen.record().id(), Set.of());
        if (!found.equals(due)) {
            broken.accept(
                    seen + " ended with " + outcome.map(TraceText::brief) + " but done are " + new TreeSet<>(found));
        }
    }
}
