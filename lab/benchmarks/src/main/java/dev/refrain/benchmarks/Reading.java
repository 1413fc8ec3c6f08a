package dev.refrain.benchmarks;

import java.util.Optional;

/** One more number of a result, with a bar of its own if it has to reach something. */
public record Reading(String name, double value, String unit, Optional<Bar> bar) {

    static Reading of(String name, double value, String unit) {
        return new Reading(name, value, unit, Optional.empty());
    }

    Reading barred(Bar toReach) {
        return new Reading(name, value, unit, Optional.of(toReach));
    }

    boolean passes() {
        return bar.map(b -> b.isMetBy(value)).orElse(true);
    }
}
