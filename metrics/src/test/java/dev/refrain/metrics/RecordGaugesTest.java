package dev.refrain.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.refrain.store.StoreException;
import dev.refrain.store.UnsettledCounts;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class RecordGaugesTest {

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final AtomicInteger asked = new AtomicInteger();
    private final AtomicLong now = new AtomicLong();

    private double read(String gauge) {
        return registry.get(gauge).gauge().value();
    }

    @Test
    void storeIsQueriedOncePerIntervalForAllGauges() {
        new RecordGauges(
                        () -> new UnsettledCounts(
                                asked.incrementAndGet(), 2, 3, Optional.of(Duration.ofMillis(4_500)), false),
                        RecordGauges.REFRESH_INTERVAL,
                        now::get)
                .bindTo(registry);

        assertThat(read("refrain.in.progress")).isEqualTo(1);
        assertThat(read("refrain.lease.over")).isEqualTo(2);
        assertThat(read("refrain.attention")).isEqualTo(3);
        assertThat(registry.get("refrain.in.progress.oldest").timeGauge().value(TimeUnit.SECONDS))
                .isEqualTo(4.5);
        assertThat(asked).hasValue(1);

        now.addAndGet(RecordGauges.REFRESH_INTERVAL.toNanos());
        assertThat(read("refrain.in.progress")).isEqualTo(2);
    }

    /** Micrometer keeps weak references by default; the alerts would then stop after the first garbage collection. */
    @Test
    void gaugesLiveAsLongAsTheRegistry() {
        new RecordGauges(() -> new UnsettledCounts(1, 2, 3, Optional.empty(), false)).bindTo(registry);
        var collected = new WeakReference<>(new Object());
        await().until(() -> {
            System.gc();
            return collected.get() == null;
        });

        assertThat(read("refrain.attention")).isEqualTo(3);
        assertThat(registry.get("refrain.in.progress.oldest").timeGauge().value(TimeUnit.SECONDS))
                .isZero();
    }

    /** Zero would mean that all is well. */
    @Test
    void unreadableGaugeIsNotZero() {
        new RecordGauges(
                        () -> {
                            throw StoreException.unavailable("asking", StoreException.Effect.NONE, null);
                        },
                        RecordGauges.REFRESH_INTERVAL,
                        now::get)
                .bindTo(registry);

        assertThat(read("refrain.in.progress")).isNaN();
        assertThat(read("refrain.attention")).isNaN();
    }
}
