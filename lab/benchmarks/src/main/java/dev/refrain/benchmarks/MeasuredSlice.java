package dev.refrain.benchmarks;

import java.time.Duration;

/** Slice of one side: the calls that ended within it and their latencies. */
record MeasuredSlice(Duration time, LatencyHistogram latencies) {

    private static final double NANOS_PER_SECOND = 1e9;

    double perSecond() {
        return latencies.count() * NANOS_PER_SECOND / time.toNanos();
    }

    double quantile(double share) {
        return latencies.quantile(share);
    }
}
