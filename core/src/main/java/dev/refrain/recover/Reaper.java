package dev.refrain.recover;

import dev.refrain.observe.Event;
import dev.refrain.observe.Listener;
import dev.refrain.store.Store;

/** Deletes expired records in small steps. Safe on every instance at once. */
public final class Reaper implements Chore {

    /** Small enough that one step is over before anyone notices, large enough to pay for its round trip. */
    private static final int STEP = 500;

    private final Store store;
    private final Listener listener;

    public Reaper(Store store, Listener listener) {
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
            listener.onEvent(new Event.Reaped(reaped));
        }
        return reaped == STEP;
    }
}
