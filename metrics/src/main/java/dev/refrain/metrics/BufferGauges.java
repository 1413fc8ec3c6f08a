package dev.refrain.metrics;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.function.LongSupplier;

/**
 * Gauges of the memory in which an instance buffers bodies. What is refused for want of it is counted by {@code refrain.edge},
 * {@code kind=refused_buffers_full}. Thread-safe.
 *
 * <table>
 * <caption>Gauges</caption>
 * <tr><td>refrain.buffered.bytes</td><td>bytes that are buffered now</td></tr>
 * <tr><td>refrain.buffered.max.bytes</td><td>bytes that may be buffered</td></tr>
 * </table>
 */
public final class BufferGauges implements MeterBinder {

    private final LongSupplier held;
    private final long max;

    /** Creates the gauges: {@code new BufferGauges(budget::heldBytes, budget.maxBytes())}. */
    public BufferGauges(LongSupplier held, long max) {
        this.held = held;
        this.max = max;
    }

    /** Registers the gauges. The registry keeps a strong reference to them. */
    @Override
    public void bindTo(MeterRegistry registry) {
        Gauge.builder("refrain.buffered.bytes", this, all -> all.held.getAsLong())
                .description("Bytes of requests and responses that are buffered")
                .baseUnit("bytes")
                .strongReference(true)
                .register(registry);
        Gauge.builder("refrain.buffered.max.bytes", this, all -> all.max)
                .description("Bytes of requests and responses that may be buffered")
                .baseUnit("bytes")
                .strongReference(true)
                .register(registry);
    }
}
