package dev.refrain.metrics;

import dev.refrain.RecordAdmin;
import dev.refrain.store.StoreAbility;
import dev.refrain.store.UnsettledCounts;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
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
 * </table>
 */
public final class RecordGauges implements MeterBinder {

    /** Interval between queries of the store; same as that of the sweeper. */
    public static final Duration REFRESH_INTERVAL = Duration.ofSeconds(15);

    private static final System.Logger LOG = System.getLogger(RecordGauges.class.getName());

    private final CachedStoreReading<UnsettledCounts> store;
    private final Optional<String> unableStore;

    /**
     * Creates the gauges of the store behind Refrain: {@code new RecordGauges(refrain.admin())}. If the store cannot count records,
     * no gauge is registered and a line is logged.
     */
    public RecordGauges(RecordAdmin admin) {
        this(
                admin::unsettledCounts,
                REFRESH_INTERVAL,
                System::nanoTime,
                admin.abilities().contains(StoreAbility.COUNTS) ? Optional.empty() : Optional.of(admin.storeName()));
    }

    RecordGauges(Supplier<UnsettledCounts> store, Duration every, LongSupplier nanos) {
        this(store, every, nanos, Optional.empty());
    }

    private RecordGauges(
            Supplier<UnsettledCounts> store, Duration every, LongSupplier nanos, Optional<String> unableStore) {
        this.store = new CachedStoreReading<>(store, every, nanos);
        this.unableStore = unableStore;
    }

    /** Registers the gauges. The registry keeps a strong reference to them. */
    @Override
    public void bindTo(MeterRegistry registry) {
        if (unableStore.isPresent()) {
            LOG.log(
                    System.Logger.Level.INFO,
                    "The gauges refrain.in.progress, refrain.lease.over and refrain.attention are off: "
                            + unableStore.get() + " does not have the ability \"counts\".");
            return;
        }
        Gauge.builder("refrain.in.progress", this, all -> all.store.value(UnsettledCounts::inProgress))
                .description("Records in progress")
                .strongReference(true)
                .register(registry);
        Gauge.builder("refrain.lease.over", this, all -> all.store.value(UnsettledCounts::leaseOver))
                .description("Records in progress whose lease has expired")
                .strongReference(true)
                .register(registry);
        Gauge.builder("refrain.attention", this, all -> all.store.value(UnsettledCounts::attention))
                .description("Records in ATTENTION")
                .strongReference(true)
                .register(registry);
        TimeGauge.builder(
                        "refrain.in.progress.oldest",
                        this,
                        TimeUnit.MILLISECONDS,
                        all -> all.store.value(
                                census -> census.oldest().orElse(Duration.ZERO).toMillis()))
                .description("Age of the oldest record in progress")
                .strongReference(true)
                .register(registry);
    }
}
