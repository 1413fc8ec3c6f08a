package dev.refrain.recover;

import dev.refrain.observe.Event;
import dev.refrain.observe.Listener;
import dev.refrain.store.Store;
import java.time.Duration;

/**
 * Settles claims that were abandoned and that nobody retries: {@code RESUME} to released, {@code HOLD} to attention. Safe on
 * every instance at once: the store compares the fence and the lease in the step that changes them.
 */
public final class Sweeper implements Chore {

    private static final int BATCH = 1_000;

    private final Store store;
    private final Listener listener;
    private final Duration grace;

    public Sweeper(Store store, Listener listener, Duration grace) {
        this.store = store;
        this.listener = listener;
        this.grace = grace;
    }

    @Override
    public String name() {
        return "sweeper";
    }

    @Override
    public boolean runStep() {
        var swept = store.sweep(grace, BATCH);
        if (swept.released() + swept.toAttention() > 0) {
            listener.onEvent(new Event.Swept(swept.released(), swept.toAttention()));
        }
        return swept.more();
    }
}
