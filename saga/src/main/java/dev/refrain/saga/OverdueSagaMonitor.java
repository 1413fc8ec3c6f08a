package dev.refrain.saga;

import dev.refrain.api.BackgroundTask;
import dev.refrain.observe.RefrainEvent;
import dev.refrain.observe.RefrainListener;
import java.util.List;

/** Counts sagas that take too long. */
record OverdueSagaMonitor<C>(SagaRunner<C> sagas, List<Saga<?, C>> watched, RefrainListener listener)
        implements BackgroundTask {

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
                listener.onEvent(new RefrainEvent.Overdue(
                        saga.name(), overdue.size(), overdue.getFirst().age()));
            }
        }
        return false;
    }
}
