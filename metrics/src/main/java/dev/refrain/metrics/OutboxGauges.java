package dev.refrain.metrics;

import dev.refrain.store.outbox.OutboxBrowser;
import dev.refrain.store.outbox.TopicSummary;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.TimeGauge;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Gauge that no relay can report, because none has the message: {@code refrain.outbox.oldest}, the age of the oldest
 * waiting message of any topic; 0 if none waits. It grows if no relay runs, if none serves the topic, and if a message
 * keeps failing. Reads the store like {@link RecordGauges}; NaN if it is unavailable. Thread-safe.
 */
public final class OutboxGauges implements MeterBinder {

    /** Number of messages scanned per topic. In a longer topic a slightly younger message may be reported. */
    private static final int SCAN_LIMIT = 1_000;

    private final CachedStoreReading<List<TopicSummary>> store;

    /**
     * Creates the gauge.
     *
     * @param store for example {@code store.outboxBrowser()}
     */
    public OutboxGauges(OutboxBrowser store) {
        this(store, RecordGauges.REFRESH_INTERVAL, System::nanoTime);
    }

    OutboxGauges(OutboxBrowser store, Duration every, LongSupplier nanos) {
        this.store = new CachedStoreReading<>(() -> store.topics(SCAN_LIMIT), every, nanos);
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        TimeGauge.builder(
                        "refrain.outbox.oldest",
                        this,
                        TimeUnit.MILLISECONDS,
                        all -> all.store.value(OutboxGauges::oldest))
                .description("Age of the oldest waiting message")
                .strongReference(true)
                .register(registry);
    }

    private static double oldest(List<TopicSummary> topics) {
        return topics.stream()
                .flatMap(topic -> topic.oldest().stream())
                .mapToLong(Duration::toMillis)
                .max()
                .orElse(0);
    }
}
