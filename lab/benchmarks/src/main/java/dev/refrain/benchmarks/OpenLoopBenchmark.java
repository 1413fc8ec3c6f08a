package dev.refrain.benchmarks;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Compares the p99 of protected and unprotected calls that arrive at random, at shares of the capacity that the unprotected handler has in the same run. */
record OpenLoopBenchmark(BenchmarkTitle title, Workload workload) implements BenchmarkCase {

    private static final int CALLERS = 32;
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
            double most = capacity.on(unprotected).perSecond();
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
        var oursAt = new ArrayList<Double>();
        var bareAt = new ArrayList<Double>();
        for (int i = 0; i < lab.scale().pairs(); i++) {
            double bare = i % 2 == 0 ? load.on(unprotected).quantile(P99) : 0;
            double protectedOne = load.on(ours).quantile(P99);
            bare = i % 2 == 0 ? bare : load.on(unprotected).quantile(P99);
            ratios.add(protectedOne / bare);
            oursAt.add(protectedOne / NANOS_PER_MILLI);
            bareAt.add(bare / NANOS_PER_MILLI);
            meter.at(i + 1, lab.scale().pairs(), "pair " + (i + 1) + " at " + percent(share));
        }
        var ratio = QuartileSpread.of(ratios);
        return new Compared(
                ratio,
                List.of(
                        SecondaryMeasurement.of("at " + percent(share) + " ratio", ratio.median(), ""),
                        SecondaryMeasurement.of(
                                "p99 at " + percent(share),
                                QuartileSpread.of(oursAt).median(),
                                "ms"),
                        SecondaryMeasurement.of(
                                "unprotected at " + percent(share),
                                QuartileSpread.of(bareAt).median(),
                                "ms")));
    }

    private static String percent(double share) {
        return String.format(Locale.ROOT, "%.0f %%", share * 100);
    }
}
