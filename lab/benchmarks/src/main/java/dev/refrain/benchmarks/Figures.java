package dev.refrain.benchmarks;

import java.util.List;

/** One side in absolute numbers: calls per second (median of its slices) and latencies in milliseconds (of all calls). */
public record Figures(String side, double perSecond, double p50, double p99, double p999) {

    private static final double NANOS_PER_MILLI = 1e6;

    static Figures of(String side, List<Slice> slices) {
        var all = new Latencies();
        slices.forEach(slice -> all.add(slice.latencies()));
        var perSecond = Spread.of(slices.stream().map(Slice::perSecond).toList());
        return new Figures(
                side,
                perSecond.median(),
                all.quantile(0.5) / NANOS_PER_MILLI,
                all.quantile(0.99) / NANOS_PER_MILLI,
                all.quantile(0.999) / NANOS_PER_MILLI);
    }
}
