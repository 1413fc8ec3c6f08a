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
 * What no relay can tell, because none has the message: {@code refrain.outbox.oldest}, the time since the oldest message that still waits was
 * staged, in any topic; 0 if none waits. It grows where no relay runs, where none has the topic, and where a message is put off again and
 * again. Asked of the store like {@link RecordGauges}, and NaN where it cannot be asked. Thread-safe.
 */
public final class OutboxGauges implements MeterBinder {

    /** How far a topic is walked along. Of a longer one the oldest may not be seen, but one that is nearly as old. */
    private static final int WALK = 1_000;

    private final CachedStoreReading<List<TopicSummary>> store;

    /** @param store such as {@code store.outboxBrowsing()} */
    public OutboxGauges(OutboxBrowser store) {
        this(store, RecordGauges.REFRESH_INTERVAL, System::nanoTime);
    }

    OutboxGauges(OutboxBrowser store, Duration every, LongSupplier nanos) {
        this.store = new CachedStoreReading<>(() -> store.topics(WALK), every, nanos);
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        TimeGauge.builder(
                        "refrain.outbox.oldest",
                        this,
                        TimeUnit.MILLISECONDS,
                        all -> all.store.value(OutboxGauges::oldest))
                .description("Time since the oldest message that waits was staged")
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
