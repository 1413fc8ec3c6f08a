package dev.refrain.benchmarks;

import java.util.List;

/** Absolute numbers of one side: calls per second (median of its slices) and latencies in milliseconds (of all calls). */
public record WorkloadFigures(String side, double perSecond, double p50, double p99, double p999) {

    private static final double NANOS_PER_MILLI = 1e6;

    static WorkloadFigures of(String side, List<MeasuredSlice> slices) {
        var all = new LatencyHistogram();
        slices.forEach(slice -> all.add(slice.latencies()));
        var perSecond =
                QuartileSpread.of(slices.stream().map(MeasuredSlice::perSecond).toList());
        return new WorkloadFigures(
                side,
                perSecond.median(),
                all.quantile(0.5) / NANOS_PER_MILLI,
                all.quantile(0.99) / NANOS_PER_MILLI,
                all.quantile(0.999) / NANOS_PER_MILLI);
    }
}
