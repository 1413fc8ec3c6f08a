package dev.refrain.trials.simulation.law;

import dev.refrain.api.RecordId;
import dev.refrain.store.StoredRecord;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Consumer;

/** Rule: the intent to send a flow's call is stored before the call is sent. */
final class CallIntentStoredRule implements InvariantRule {

    private final Set<RecordId> announced = new HashSet<>();

    @Override
    public void on(SimulationEvent happening, Consumer<String> broken) {
        switch (happening) {
            case SimulationEvent.Step step ->
                step.after()
                        .filter(TimedRecordSnapshot::mayHaveSent)
                        .map(TimedRecordSnapshot::record)
                        .map(StoredRecord::id)
                        .ifPresent(announced::add);
            case SimulationEvent.Acted acted -> {
                if (acted.by() == SimulationEvent.Acted.By.FLOW && !announced.contains(acted.about())) {
                    broken.accept(acted.system() + " was called for " + TraceText.brief(acted.about())
                            + ", and nobody had said so before");
                }
            }
            default -> {}
        }
    }
}
