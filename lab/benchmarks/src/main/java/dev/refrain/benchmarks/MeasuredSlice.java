package dev.refrain.benchmarks;

import dev.refrain.benchmarks.ResourceMeter.ResourceReading;
import java.time.Duration;

/**
 * Slice of one side.
 *
 * @param completed calls that ended within the slice
 * @param latencies of all calls that were under way in the slice, each measured to its end, also if that came later
 * @param starved callers without any answer within the slice
 * @param calls calls made in all, before and after the slice too
 * @param used what all of them used
 */
record MeasuredSlice(
        Duration time, long completed, LatencyHistogram latencies, int starved, long calls, ResourceReading used) {

    private static final double NANOS_PER_SECOND = 1e9;
    private static final double NANOS_PER_MICRO = 1e3;

    double perSecond() {
        return completed * NANOS_PER_SECOND / time.toNanos();
    }

    double quantile(double share) {
        return latencies.quantile(share);
    }

    double cpuMicrosPerCall() {
        return used.cpuNanos() / NANOS_PER_MICRO / Math.max(1, calls);
    }

    double walBytesPerCall() {
        return (double) used.walBytes() / Math.max(1, calls);
    }
}
