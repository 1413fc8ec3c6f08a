package dev.refrain.metrics;

import dev.refrain.RecordAdmin;
import dev.refrain.store.StoreAbility;
import dev.refrain.store.UnsettledCounts;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.TimeGauge;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Gauges of unsettled records over all instances and scopes, so every instance reports the same. The store is queried
 * when a gauge is read, at most once per interval; the gauges are NaN if it is unavailable. Thread-safe.
 *
 * <table>
 * <caption>Gauges</caption>
 * <tr><td>refrain.in.progress</td><td>records in progress</td></tr>
 * <tr><td>refrain.in.progress.oldest</td><td>age of the oldest of them since its first claim; 0 if there is none</td></tr>
 * <tr><td>refrain.lease.over</td><td>those of them whose lease has expired</td></tr>
 * <tr><td>refrain.attention</td><td>records in ATTENTION</td></tr>
 * <tr><td>refrain.expired</td><td>records past their retention that are not reaped yet</td></tr>
 * <tr><td>refrain.expired.oldest</td><td>time since the first of them expired; 0 if there is none</td></tr>
 * </table>
 */
public final class RecordGauges implements MeterBinder {

    /** Interval between queries of the store; same as that of the sweeper. */
    public static final Duration REFRESH_INTERVAL = Duration.ofSeconds(15);

    private static final System.Logger LOG = System.getLogger(RecordGauges.class.getName());

    private final CachedStoreReading<UnsettledCounts> store;
    private final Optional<String> unableStore;
    private final Tags tags;

    /**
     * Creates the gauges of the store behind Refrain: {@code new RecordGauges(refrain.admin())}. If the store cannot count records,
     * no gauge is registered and a line is logged.
     */
    public RecordGauges(RecordAdmin admin) {
        this(
                admin::unsettledCounts,
                REFRESH_INTERVAL,
                System::nanoTime,
                admin.abilities().contains(StoreAbility.COUNTS) ? Optional.empty() : Optional.of(admin.storeName()),
                Tags.empty());
    }

    /** Returns the gauges of one of several stores of an application, with its name as the tag {@code store}. */
    public RecordGauges forStore(String name) {
        return new RecordGauges(store, unableStore, Tags.of("store", name));
    }

    RecordGauges(Supplier<UnsettledCounts> store, Duration every, LongSupplier nanos) {
        this(store, every, nanos, Optional.empty(), Tags.empty());
    }

    private RecordGauges(
            Supplier<UnsettledCounts> store,
            Duration every,
            LongSupplier nanos,
            Optional<String> unableStore,
            Tags tags) {
        this(new CachedStoreReading<>(store, every, nanos), unableStore, tags);
    }

    private RecordGauges(CachedStoreReading<UnsettledCounts> store, Optional<String> unableStore, Tags tags) {
        this.store = store;
        this.unableStore = unableStore;
        this.tags = tags;
    }

    /** Registers the gauges. The registry keeps a strong reference to them. */
    @Override
    public void bindTo(MeterRegistry registry) {
        if (unableStore.isPresent()) {
            LOG.log(
                    System.Logger.Level.INFO,
                    "The gauges refrain.in.progress, refrain.lease.over, refrain.attention and refrain.expired are off: "
                            + unableStore.get() + " does not have the ability \"counts\".");
            return;
        }
        Gauge.builder("refrain.in.progress", this, all -> all.store.value(UnsettledCounts::inProgress))
                .description("Records in progress")
                .strongReference(true)
                .tags(tags)
                .register(registry);
        Gauge.builder("refrain.lease.over", this, all -> all.store.value(UnsettledCounts::leaseOver))
                .description("Records in progress whose lease has expired")
                .strongReference(true)
                .tags(tags)
                .register(registry);
        Gauge.builder("refrain.attention", this, all -> all.store.value(UnsettledCounts::attention))
                .description("Records in ATTENTION")
                .strongReference(true)
                .tags(tags)
                .register(registry);
        TimeGauge.builder(
                        "refrain.in.progress.oldest",
                        this,
                        TimeUnit.MILLISECONDS,
                        all -> all.store.value(
                                census -> census.oldest().orElse(Duration.ZERO).toMillis()))
                .description("Age of the oldest record in progress")
                .strongReference(true)
                .tags(tags)
                .register(registry);
        Gauge.builder("refrain.expired", this, all -> all.store.value(UnsettledCounts::expired))
                .description("Records past their retention that are not reaped yet")
                .strongReference(true)
                .tags(tags)
                .register(registry);
        TimeGauge.builder(
                        "refrain.expired.oldest",
                        this,
                        TimeUnit.MILLISECONDS,
                        all -> all.store.value(census ->
                                census.reapDelay().orElse(Duration.ZERO).toMillis()))
                .description("Time since the first record expired that is not reaped yet")
                .strongReference(true)
                .tags(tags)
                .register(registry);
    }
}
