package dev.refrain.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.refrain.Refrain;
import dev.refrain.store.Store;
import dev.refrain.store.StoreException;
import dev.refrain.store.UnsettledCounts;
import dev.refrain.store.memory.MemoryStore;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.lang.ref.WeakReference;
import java.lang.reflect.Proxy;
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
    void storeIsAskedOnceForAllGaugesAndNotWithEachScrape() {
        new RecordGauges(
                        () -> new UnsettledCounts(
                                asked.incrementAndGet(),
                                2,
                                3,
                                Optional.of(Duration.ofMillis(4_500)),
                                7,
                                Optional.of(Duration.ofMinutes(11)),
                                false),
                        RecordGauges.REFRESH_INTERVAL,
                        now::get)
                .bindTo(registry);

        assertThat(read("refrain.in.progress")).isEqualTo(1);
        assertThat(read("refrain.lease.over")).isEqualTo(2);
        assertThat(read("refrain.attention")).isEqualTo(3);
        assertThat(registry.get("refrain.in.progress.oldest").timeGauge().value(TimeUnit.SECONDS))
                .isEqualTo(4.5);
        assertThat(read("refrain.expired")).isEqualTo(7);
        assertThat(registry.get("refrain.expired.oldest").timeGauge().value(TimeUnit.SECONDS))
                .isEqualTo(660);
        assertThat(asked).hasValue(1);

        now.addAndGet(RecordGauges.REFRESH_INTERVAL.toNanos());
        assertThat(read("refrain.in.progress")).isEqualTo(2);
    }

    /** Micrometer holds what it is given weakly unless told otherwise; then the alerts would end with the first collection. */
    @Test
    void gaugesLiveAsLongAsTheRegistry() {
        new RecordGauges(
                        () -> new UnsettledCounts(1, 2, 3, Optional.empty(), 0, Optional.empty(), false),
                        RecordGauges.REFRESH_INTERVAL,
                        System::nanoTime)
                .bindTo(registry);
        var collected = new WeakReference<>(new Object());
        await().until(() -> {
            System.gc();
            return collected.get() == null;
        });

        assertThat(read("refrain.attention")).isEqualTo(3);
        assertThat(registry.get("refrain.in.progress.oldest").timeGauge().value(TimeUnit.SECONDS))
                .isZero();
    }

    @Test
    void gaugesAreOffWhereTheStoreCannotCount() {
        var real = new MemoryStore();
        var bare = (Store) Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {Store.class},
                (self, method, arguments) ->
                        method.getName().equals("ability") ? Optional.empty() : method.invoke(real, arguments));
        try (var refrain = Refrain.using(bare);
                var able = Refrain.using(real)) {
            new RecordGauges(refrain.admin()).bindTo(registry);
            assertThat(registry.getMeters()).isEmpty();

            new RecordGauges(able.admin()).bindTo(registry);
            assertThat(read("refrain.attention")).isZero();
        }
    }

    /** Zero would say that all is well. */
    @Test
    void gaugeThatCannotBeReadIsNotZero() {
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
