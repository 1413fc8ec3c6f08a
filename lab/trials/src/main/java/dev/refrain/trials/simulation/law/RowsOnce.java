package dev.refrain.trials.simulation.law;

import dev.refrain.key.RecordId;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Consumer;

/** Invariant 4: a committed phase never runs again, so that what it writes is there once; so does a handler of messages. */
final class RowsOnce implements Rule {

    private record Row(String table, RecordId about) {}

    private final Set<Row> rows = new HashSet<>();

    @Override
    public void on(Happening happening, Consumer<String> broken) {
        if (happening instanceof Happening.Inserted inserted
                && !rows.add(new Row(inserted.table(), inserted.about()))) {
            broken.accept("a second row in " + inserted.table() + " for " + Text.brief(inserted.about()));
        }
    }
}
