package dev.refrain.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class BufferGaugesTest {

    @Test
    void heldBytesAndTheirLimitAreMeasured() {
        var registry = new SimpleMeterRegistry();
        var held = new AtomicLong(7);
        new BufferGauges(held::get, 100).bindTo(registry);

        assertThat(registry.get("refrain.buffered.bytes").gauge().value()).isEqualTo(7);
        held.set(9);
        assertThat(registry.get("refrain.buffered.bytes").gauge().value()).isEqualTo(9);
        assertThat(registry.get("refrain.buffered.max.bytes").gauge().value()).isEqualTo(100);
    }
}
