package dev.refrain.internal.recover;

import dev.refrain.api.BackgroundTask;
import dev.refrain.observe.RefrainEvent;
import dev.refrain.observe.RefrainListener;
import dev.refrain.store.Store;
import java.time.Duration;

/**
 * Settles abandoned claims that nobody retries: {@code RESUME} to released, {@code HOLD} to attention. May run on every instance
 * at once: the store compares the fence and the lease in the step that changes them.
 */
public final class Sweeper implements BackgroundTask {

    private static final int BATCH = 1_000;
    private static final String LEASE_ENDED =
            "its lease ended and nobody completed it, so whether it took effect is not known";

    private final Store store;
    private final RefrainListener listener;
    private final Duration grace;

    public Sweeper(Store store, RefrainListener listener, Duration grace) {
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
            listener.onEvent(new RefrainEvent.Swept(swept.released(), swept.toAttention()));
        }
        if (swept.toAttention() > 0) {
            int unlisted = swept.toAttention() - swept.escalated().size();
            listener.onEvent(new RefrainEvent.Escalated(swept.escalated(), unlisted, LEASE_ENDED));
        }
        return swept.more();
    }
}
