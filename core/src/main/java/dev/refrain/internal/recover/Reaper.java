package dev.refrain.internal.recover;

import dev.refrain.api.BackgroundTask;
import dev.refrain.observe.RefrainEvent;
import dev.refrain.observe.RefrainListener;
import dev.refrain.store.Store;

/** Deletes expired records in small steps. May run on every instance at once. */
public final class Reaper implements BackgroundTask {

    /** Step size: small enough not to disturb traffic, large enough to pay for its round trip. */
    private static final int STEP = 500;

    private final Store store;
    private final RefrainListener listener;

    public Reaper(Store store, RefrainListener listener) {
        this.store = store;
        this.listener = listener;
    }

    @Override
    public String name() {
        return "reaper";
    }

    @Override
    public boolean runStep() {
        int reaped = store.reap(STEP);
        if (reaped > 0) {
            listener.onEvent(new RefrainEvent.Reaped(reaped));
        }
        return reaped == STEP;
    }
}
