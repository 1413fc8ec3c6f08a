package dev.refrain.trials.simulation.law;

import dev.refrain.api.RecordId;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Consumer;

/** Invariant 4: a committed phase, or a handler of a message, never runs again, so that its row exists once. */
final class SingleRowRule implements InvariantRule {

    private record Row(String table, RecordId about) {}

    private final Set<Row> rows = new HashSet<>();

    @Override
    public void on(SimulationEvent happening, Consumer<String> broken) {
        if (happening instanceof SimulationEvent.Inserted inserted
                && !rows.add(new Row(inserted.table(), inserted.about()))) {
            broken.accept("a second row in " + inserted.table() + " for " + TraceText.brief(inserted.about()));
        }
    }
}
