package dev.refrain.benchmarks;

import java.util.ArrayList;

/** Compares leased operations with the approach of most libraries. */
final class LeasedVsNaiveBenchmark implements BenchmarkCase {

    private static final int CALLERS = 128;

    @Override
    public BenchmarkTitle title() {
        return BenchmarkTitle.throughput(
                "leased-vs-naive", "leased ÷ SELECT, INSERT, work, UPDATE in a transaction each", 2.8);
    }

    @Override
    public BenchmarkResult measure(BenchmarkTestbed lab, CaseProgressListener meter) throws Exception {
        String url = lab.freshDatabase();
        try (var leased = new LeasedWorkload(url)) {
            PairedComparison compared;
            try (var naive = NaiveKeyWorkload.inTransactions(url)) {
                compared = lab.pairs(meter).compare(leased, naive, CALLERS);
            }
            var readings = new ArrayList<>(leased.readings());
            try (var autoCommitting = NaiveKeyWorkload.autoCommitting(url)) {
                readings.add(against(autoCommitting, leased, lab, meter));
            }
            return title().reached(compared, readings);
        }
    }

    /** Compares with the same steps in fewer round trips. */
    private static SecondaryMeasurement against(
            BenchmarkWorkload other, BenchmarkWorkload leased, BenchmarkTestbed lab, CaseProgressListener meter)
            throws Exception {
        var pairs = lab.scale().pairs() / 2;
        var load = new ClosedLoopLoad(CALLERS, lab.scale().lead(), lab.scale().slice());
        var ratio = lab.pairs(meter).compare(leased, other, load, pairs).ratio(MeasuredSlice::perSecond);
        return SecondaryMeasurement.of("÷ " + other.name(), ratio.median(), "");
    }
}
