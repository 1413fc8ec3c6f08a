package dev.refrain.spring.actuator;

import dev.refrain.store.jdbc.JdbcStore;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;

/** Gauge {@code refrain.store.connections.held}: connections that the store holds for itself now. Thread-safe. */
final class HeldConnectionGauge implements MeterBinder {

    private final JdbcStore store;
    private final Tags tags;

    HeldConnectionGauge(JdbcStore store, Tags tags) {
        this.store = store;
        this.tags = tags;
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        Gauge.builder("refrain.store.connections.held", store, JdbcStore::heldConnections)
                .description("Connections that the store holds for itself")
                .tags(tags)
                .register(registry);
    }
}
