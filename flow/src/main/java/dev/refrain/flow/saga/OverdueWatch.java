package dev.refrain.flow.saga;

import dev.refrain.observe.Event;
import dev.refrain.observe.Listener;
import dev.refrain.recover.Chore;
import java.util.List;

/** Counts sagas that take too long. */
record OverdueWatch<C>(Sagas<C> sagas, List<Saga<?, C>> watched, Listener listener) implements Chore {

    private static final int LIMIT = 1_000;

    @Override
    public String name() {
        return "overdue-watch";
    }

    @Override
    public boolean runStep() {
        for (var saga : watched) {
            var overdue = sagas.overdue(saga, LIMIT);
            if (!overdue.isEmpty()) {
                listener.onEvent(new Event.Overdue(
                        saga.name(), overdue.size(), overdue.getFirst().age()));
            }
        }
        return false;
    }
}
