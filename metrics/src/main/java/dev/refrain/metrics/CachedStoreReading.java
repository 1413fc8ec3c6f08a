package dev.refrain.metrics;

import dev.refrain.api.RefrainException;
import java.time.Duration;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;

/** What the store said last: it is asked when a gauge is read, once for all gauges, and not again for a while. Thread-safe. */
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

    /** NaN where it cannot be asked. */
    double value(ToDoubleFunction<T> value) {
        return current().answer().map(answer -> value.applyAsDouble(answer)).orElse(Double.NaN);
    }

    private synchronized Reading<T> current() {
        long now = nanos.getAsLong();
        var reading = last.filter(known -> now - known.at() < everyNanos).orElseGet(() -> new Reading<>(ask(), now));
        last = Optional.of(reading);
        return reading;
    }

    private Optional<T> ask() {
        try {
            return Optional.of(store.get());
        } catch (RefrainException away) {
            // A gauge that cannot be read is not zero. That the store failed is counted elsewhere.
            return Optional.empty();
        }
    }
}
