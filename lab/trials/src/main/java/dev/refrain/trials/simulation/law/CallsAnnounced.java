package dev.refrain.trials.simulation.law;

import dev.refrain.key.RecordId;
import dev.refrain.store.StoredRecord;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Consumer;

/** That a flow's call is about to be sent is stored before it is. */
final class CallsAnnounced implements Rule {

    private final Set<RecordId> announced = new HashSet<>();

    @Override
    public void on(Happening happening, Consumer<String> broken) {
        switch (happening) {
            case Happening.Step step ->
                step.after()
                        .filter(Seen::mayHaveSent)
                        .map(Seen::record)
                        .map(StoredRecord::id)
                        .ifPresent(announced::add);
            case Happening.Acted acted -> {
                if (acted.by() == Happening.Acted.By.FLOW && !announced.contains(acted.about())) {
                    broken.accept(acted.system() + " was called for " + Text.brief(acted.about())
                            + ", and nobody had said so before");
                }
            }
            default -> {}
        }
    }
}
