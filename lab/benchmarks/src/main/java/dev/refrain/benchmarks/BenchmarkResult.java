package dev.refrain.benchmarks;

import java.util.List;

/**
 * Result of one measurement.
 *
 *
 * @param ratio the number that is compared with the bar, as its median, with the middle half of all pairs
 * @param sides in absolute numbers, where there were two
 */
public record BenchmarkResult(
        BenchmarkTitle title,
        QuartileSpread ratio,
        int pairs,
        List<SecondaryMeasurement> readings,
        List<WorkloadFigures> sides) {

    public BenchmarkResult {
        readings = List.copyOf(readings);
        sides = List.copyOf(sides);
    }

    public boolean passes() {
        return title.bar().isMetBy(ratio.median()) && readings.stream().allMatch(SecondaryMeasurement::passes);
    }
}
