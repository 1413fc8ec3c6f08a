package dev.refrain.metrics;

import dev.refrain.api.RefrainException;
import java.time.Duration;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;

/** Caches a reading of the store for several gauges and queries it at most once per interval. Thread-safe. */
final class CachedStoreReading<T> {

    private record Reading<T>(Optional<T> answer, long at) {}

    private final Supplier<T> store;
    private final long everyNanos;
    private final LongSupplier nanos;
    private Optional<Reading<T>> last = Optional.empty();

    CachedStoreReading(Supplier<T> store, Duration every, LongSupplier nanos) {
        this.store = store;
        this.everyNanos = every.toNanos();
        this.nanos = nanos;
    }

    /** Returns a value of the current reading; NaN if the store is unavailable. */
    double value(ToDoubleFunction<T> value) {
        return current().answer().map(answer -> value.applyAsDouble(answer)).orElse(Double.NaN);
    }

    private synchronized Reading<T> current() {
        long now = nanos.getAsLong();
        var reading =
                last.filter(previous -> now - previous.at() < everyNanos).orElseGet(() -> new Reading<>(query(), now));
        last = Optional.of(reading);
        return reading;
    }

    private Optional<T> query() {
        try {
            return Optional.of(store.get());
        } catch (RefrainException unavailable) {
            // A gauge that cannot be read is not zero. The store failure is counted elsewhere.
            return Optional.empty();
        }
    }
}
