package dev.refrain.benchmarks;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Compares the p99 of protected and unprotected calls that arrive at random, at shares of the capacity that the unprotected handler has in the same run. */
record OpenLoopBenchmark(BenchmarkTitle title, Workload workload) implements BenchmarkCase {

    private static final int CALLERS = 32;
    private static final int CAPACITY_SLICES = 5;
    private static final double JUDGED = 0.5;
    private static final List<Double> SHARES = List.of(0.25, JUDGED, 0.65);
    private static final double P99 = 0.99;
    private static final double NANOS_PER_MILLI = 1e6;

    /** Opens the protected side on a database. */
    @FunctionalInterface
    interface Workload {
        BenchmarkWorkload on(String url) throws SQLException;
    }

    static BenchmarkCase transactional() {
        return of("open-loop-transactional", "transactional", TransactionalWorkload::new);
    }

    static BenchmarkCase leased() {
        return of("open-loop-leased", "leased", LeasedWorkload::new);
    }

    private static BenchmarkCase of(String name, String mode, Workload workload) {
        return new OpenLoopBenchmark(
                new BenchmarkTitle(
                        name,
                        mode + " ÷ unprotected, random arrivals at half of the unprotected capacity",
                        "ratio of latencies (p99)",
                        BenchmarkThreshold.atMost(2.5)),
                workload);
    }

    @Override
    public boolean isLong() {
        return true;
    }

    @Override
    public BenchmarkResult measure(BenchmarkTestbed lab, CaseProgressListener meter) throws Exception {
        String url = lab.freshDatabase();
        try (var ours = workload.on(url);
                var unprotected = new UnprotectedWorkload(url)) {
            lab.pairs(meter).warmUp(List.of(ours, unprotected), CALLERS);
            var capacity =
                    new ClosedLoopLoad(CALLERS, lab.scale().lead(), lab.scale().slice());
            double most = median(capacity, unprotected);
            var ratio = QuartileSpread.single(1);
            var readings = new ArrayList<SecondaryMeasurement>();
            for (double share : SHARES) {
                var compared = compare(lab, meter, ours, unprotected, most * share, share);
                readings.addAll(compared.readings());
                ratio = share == JUDGED ? compared.ratio() : ratio;
            }
            return new BenchmarkResult(title, ratio, lab.scale().pairs(), readings, List.of());
        }
    }

    private static double median(ClosedLoopLoad load, BenchmarkWorkload side) throws Exception {
        var rates = new ArrayList<Double>();
        for (int i = 0; i < CAPACITY_SLICES; i++) {
            rates.add(load.on(side).perSecond());
        }
        return QuartileSpread.of(rates).median();
    }

    private record Compared(QuartileSpread ratio, List<SecondaryMeasurement> readings) {}

    private static Compared compare(
            BenchmarkTestbed lab,
            CaseProgressListener meter,
            BenchmarkWorkload ours,
            BenchmarkWorkload unprotected,
            double perSecond,
            double share)
            throws Exception {
        var load = new PoissonLoad(perSecond, lab.scale().slice());
        var ratios = new ArrayList<Double>();
        var oursAll = new LatencyHistogram();
        var bareAll = new LatencyHistogram();
        for (int i = 0; i < lab.scale().pairs(); i++) {
            boolean oursFirst = i % 2 == 1;
            var first = load.on(oursFirst ? ours : unprotected);
            var second = load.on(oursFirst ? unprotected : ours);
            var protectedOne = oursFirst ? first : second;
            var bare = oursFirst ? second : first;
            ratios.add(protectedOne.quantile(P99) / bare.quantile(P99));
            oursAll.add(protectedOne);
            bareAll.add(bare);
            meter.at(i + 1, lab.scale().pairs(), "pair " + (i + 1) + " at " + percent(share));
        }
        var ratio = QuartileSpread.of(ratios);
        var readings = new ArrayList<SecondaryMeasurement>();
        readings.add(SecondaryMeasurement.of("at " + percent(share) + " ratio", ratio.median(), ""));
        readings.addAll(latencies("ours", oursAll));
        readings.addAll(latencies("unprotected", bareAll));
        return new Compared(ratio, readings);
    }

    /** Returns what is published of a side: the latencies of all its calls. */
    private static List<SecondaryMeasurement> latencies(String side, LatencyHistogram all) {
        return List.of(
                millis(side + " p50", all.quantile(0.5)),
                millis("p99", all.quantile(P99)),
                millis("p99.9", all.quantile(0.999)),
                millis("max", all.quantile(1)));
    }

    private static SecondaryMeasurement millis(String name, double nanos) {
        return SecondaryMeasurement.of(name, nanos / NANOS_PER_MILLI, "ms");
    }

    private static String percent(double share) {
        return String.format(Locale.ROOT, "%.0f %%", share * 100);
    }
}
