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
        if (happening instanceof SimulationEvent.Inserted inserted) {
            if (inserted.table().startsWith(SimulationEvent.Inserted.UNDO)) {
                undone.add(inserted.about());
            } else if (inserted.table().equals(JOB) && undone.contains(inserted.about())) {
                broken.accept("the job of saga " + TraceText.brief(inserted.about()) + " ran after it was given up");
            }
        }
    }
}
