package dev.refrain.benchmarks;

import java.util.List;

/**
 * Name, description and threshold of a measurement.
 *
 *
 * @param what the two sides, in words
 * @param unit of the number that is compared with the bar
 */
public record BenchmarkTitle(String name, String what, String unit, BenchmarkThreshold bar) {

    static final String THROUGHPUT = "ratio of calls per second";

    /** Returns the title of a measurement that compares calls per second. */
    static BenchmarkTitle throughput(String name, String what, double atLeast) {
        return new BenchmarkTitle(name, what, THROUGHPUT, BenchmarkThreshold.atLeast(atLeast));
    }

    /** Returns how many callers there are, in words. */
    static String callers(int count) {
        return count == 1 ? "1 caller" : count + " callers";
    }

    BenchmarkResult reached(PairedComparison compared, List<SecondaryMeasurement> readings) {
        return new BenchmarkResult(
                this, compared.ratio(MeasuredSlice::perSecond), compared.pairs(), readings, compared.figures());
    }
}
