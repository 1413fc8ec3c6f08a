package dev.refrain.benchmarks;

import dev.refrain.benchmarks.ResourceMeter.ResourceReading;
import java.time.Duration;

/**
 * Slice of one side.
 *
 * @param completed calls that ended within the slice
 * @param latencies of all calls that were under way in the slice, each measured to its end, also if that came later
 * @param starved callers without any answer within the slice
 * @param answered calls that were answered, before and after the slice too
 * @param refused calls that were refused in the same time
 * @param used what all of them used, the refused ones included
 */
record MeasuredSlice(
        Duration time,
        long completed,
        LatencyHistogram latencies,
        int starved,
        long answered,
        long refused,
        ResourceReading used) {

    private static final double NANOS_PER_SECOND = 1e9;
    private static final double NANOS_PER_MICRO = 1e3;
    private static final double HUNDRED = 100;

    double perSecond() {
        return completed * NANOS_PER_SECOND / time.toNanos();
    }

    /** Returns the refused calls for 100 that were answered. */
    double refusedPerHundred() {
        return HUNDRED * refused / Math.max(1, answered);
    }

    double quantile(double share) {
        return latencies.quantile(share);
    }

    double cpuMicrosPerAnswer() {
        return used.cpuNanos() / NANOS_PER_MICRO / Math.max(1, answered);
    }

    double walBytesPerAnswer() {
        return (double) used.walBytes() / Math.max(1, answered);
    }
}
