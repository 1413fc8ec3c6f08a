package dev.refrain.trials.simulation.law;

import dev.refrain.api.RecordId;
import dev.refrain.saga.SagaView;
import dev.refrain.saga.SagaView.StepStatus;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Rule: every saga ends. If it completed, each step happened and none was undone. If it was compensated, each step that happened was undone,
 * the last one first, unless a person abandoned its compensation; and what did not happen was undone only if it may have.
 */
final class SagaConsistencyRule implements InvariantRule {

    private static final String UNDO = SimulationEvent.Inserted.UNDO;

    /** The steps with a compensation, in their order, and whether their outcome can be unknown. */
    private static final List<String> STEPS = List.of("reserve", "charge", "label");

    private static final String LAST = "finish";
    private static final String LOCAL = STEPS.getFirst();

    private final Map<RecordId, List<String>> history = new HashMap<>();
    private final Map<RecordId, Set<String>> failed = new HashMap<>();
    private final Set<RecordId> seen = new HashSet<>();

    @Override
    public void on(SimulationEvent happening, Consumer<String> broken) {
        switch (happening) {
            case SimulationEvent.Inserted inserted -> note(inserted.about(), inserted.table());
            case SimulationEvent.Acted acted ->
                note(acted.about(), acted.by() == SimulationEvent.Acted.By.FLOW ? "charge" : "label");
            case SimulationEvent.UndoFailed undo ->
                failed.computeIfAbsent(undo.saga(), id -> new HashSet<>()).add(undo.step());
            case SimulationEvent.SagaSeen end -> check(end.view(), broken);
            case SimulationEvent.WorldEnded end ->
                history.forEach((id, events) -> {
                    if (!seen.contains(id)) {
                        broken.accept("saga " + TraceText.brief(id) + " is gone, but did " + events);
                    }
                });
            default -> {}
        }
    }

    private void note(RecordId saga, String what) {
        history.computeIfAbsent(saga, id -> new ArrayList<>()).add(what);
    }

    private void check(SagaView view, Consumer<String> broken) {
        var id = view.claim().id();
        seen.add(id);
        var events = history.getOrDefault(id, List.of());
        String what = "saga " + TraceText.brief(id) + ", " + view.status() + " after " + events + ": ";
        switch (view.status()) {
            case COMPLETED -> {
                var all = new HashSet<>(STEPS);
                all.add(LAST);
                if (!Set.copyOf(events).equals(all)) {
                    broken.accept(what + "completed without every step, or with one undone");
                }
            }
            case COMPENSATED -> compensated(view, events, broken, what);
            default -> broken.accept(what + "it has not ended; " + view);
        }
    }

    private void compensated(SagaView view, List<String> events, Consumer<String> broken, String what) {
        if (events.contains(LAST)) {
            broken.accept(what + "compensated after its last step");
        }
        for (String step : STEPS) {
            boolean undone = events.contains(UNDO + step);
            if (events.contains(step) && !undone && !isAbandoned(view, step)) {
                broken.accept(what + step + " was not undone");
            }
            if (!events.contains(step) && undone && step.equals(LOCAL)) {
                broken.accept(what + step + " was undone and never happened");
            }
        }
        var failedOnce = failed.getOrDefault(view.claim().id(), Set.of());
        var order = STEPS.reversed().stream()
                .filter(step -> events.contains(UNDO + step) && !failedOnce.contains(step))
                .map(step -> UNDO + step)
                .toList();
        if (!events.stream().filter(order::contains).distinct().toList().equals(order)) {
            broken.accept(what + "not undone in reverse");
        }
    }

    private static boolean isAbandoned(SagaView view, String step) {
        return view.steps().stream()
                .anyMatch(known -> known.name().equals(step) && known.status() == StepStatus.NOT_UNDONE);
    }
}
