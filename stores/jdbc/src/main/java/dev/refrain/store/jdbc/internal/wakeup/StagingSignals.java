package dev.refrain.store.jdbc.internal.wakeup;

import dev.refrain.store.outbox.OutboxStore;
import dev.refrain.store.outbox.StagingListener;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Reports messages that this process stages to the relays of this process, without the database. Thread-safe. */
public final class StagingSignals implements StagingListener {

    private final List<StagingListener> listeners = new CopyOnWriteArrayList<>();

    /** Returns true if nobody listens. */
    public boolean isUnheard() {
        return listeners.isEmpty();
    }

    /** Adds a listener, until the subscription is closed. */
    public OutboxStore.WakeupSubscription subscribe(StagingListener listener) {
        listeners.add(listener);
        return () -> listeners.remove(listener);
    }

    @Override
    public void committed(String topic) {
        listeners.forEach(listener -> listener.committed(topic));
    }

    @Override
    public void staged(String topic) {
        listeners.forEach(listener -> listener.staged(topic));
    }
}
