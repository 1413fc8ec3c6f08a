package dev.refrain.benchmarks;

import java.util.function.ToDoubleFunction;

/**
 * Absolute numbers of one side: calls per second, CPU time and write-ahead log per answered call (medians of its slices), and latencies in milliseconds
 * (of all calls, each measured to its end).
 *
 * @param starved callers that got no answer at all within a slice
 * @param refused calls that were refused, for 100 that were answered
 */
public record WorkloadFigures(
        String side,
        double perSecond,
        double p50,
        double p99,
        double p999,
        double max,
        double cpuMicros,
        double walBytes,
        double starved,
        double refused) {

    private static final double NANOS_PER_MILLI = 1e6;

    static WorkloadFigures of(MeasuredSide side) {
        var all = new LatencyHistogram();
        side.slices().forEach(slice -> all.add(slice.latencies()));
        return new WorkloadFigures(
                side.name(),
                median(side, MeasuredSlice::perSecond),
                all.quantile(0.5) / NANOS_PER_MILLI,
                all.quantile(0.99) / NANOS_PER_MILLI,
                all.quantile(0.999) / NANOS_PER_MILLI,
                all.quantile(1) / NANOS_PER_MILLI,
                median(side, MeasuredSlice::cpuMicrosPerAnswer),
                median(side, MeasuredSlice::walBytesPerAnswer),
                median(side, MeasuredSlice::starved),
                median(side, MeasuredSlice::refusedPerHundred));
    }

    private static double median(MeasuredSide side, ToDoubleFunction<MeasuredSlice> number) {
        return QuartileSpread.of(
                        side.slices().stream().map(number::applyAsDouble).toList())
                .median();
    }
}
