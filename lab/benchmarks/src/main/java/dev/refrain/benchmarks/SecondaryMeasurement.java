package dev.refrain.benchmarks;

import java.util.Optional;

/** Additional number of a result, with a threshold of its own if it has to reach something. */
public record SecondaryMeasurement(String name, double value, String unit, Optional<BenchmarkThreshold> bar) {

    static SecondaryMeasurement of(String name, double value, String unit) {
        return new SecondaryMeasurement(name, value, unit, Optional.empty());
    }

    SecondaryMeasurement barred(BenchmarkThreshold toReach) {
        return new SecondaryMeasurement(name, value, unit, Optional.of(toReach));
    }

    boolean passes() {
        return bar.map(b -> b.isMetBy(value)).orElse(true);
    }
}
