package dev.refrain.trials.simulation.law;

import dev.refrain.api.RecordId;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Consumer;

/** Rule: the job of a saga never runs once the saga is being undone, even if its dead letter is resent. */
final class GivenUpJobRule implements InvariantRule {

    private static final String JOB = "label";

    private final Set<RecordId> undone = new HashSet<>();

    @Override
    public void on(SimulationEvent happening, Consumer<String> broken) {
        switch (happening) {
            case SimulationEvent.Inserted inserted -> {
                if (inserted.table().startsWith(SimulationEvent.Inserted.UNDO)) {
                    undone.add(inserted.about());
                } else if (inserted.table().equals(JOB)) {
                    check(inserted.about(), broken);
                }
            }
            case SimulationEvent.JobBegan began -> {
                if (began.smooth()) {
                    check(began.saga(), broken);
                }
            }
            default -> {}
        }
    }

    private void check(RecordId saga, Consumer<String> broken) {
        if (undone.contains(saga)) {
            broken.accept("the job of saga " + TraceText.brief(saga) + " ran after it was given up");
        }
    }
}
