package dev.refrain.benchmarks;

import dev.refrain.LeasedOperation;
import dev.refrain.Refrain;
import dev.refrain.RefrainSettings;
import dev.refrain.api.LeaseExpiryPolicy;
import dev.refrain.api.Outcome;
import dev.refrain.store.jdbc.JdbcStore;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;

/**
 * Measures what is still completed when clients send more than the store can take: claims and completions without work between them, at
 * twice and at ten times the rate that callers reach who wait for their answers.
 */
final class OverloadBenchmark implements BenchmarkCase {

    private static final int CALLERS = 256;
    private static final int ROUNDS = 3;
    private static final int WARM_UPS = 3;
    private static final double TWICE = 2;
    private static final double TENFOLD = 10;
    private static final double USUAL = 0.7;
    private static final double GOOD = 0.90;
    private static final int QUIET_CALLERS = 8;
    private static final double P99 = 0.99;
    private static final int SLICES = 3;
    private static final Duration PATIENCE = Duration.ofSeconds(1);

    /** Lead of a flood: by then its first calls have been answered or have timed out. */
    private static final Duration FILLED = PATIENCE.plusMillis(200);

    @Override
    public BenchmarkTitle title() {
        return BenchmarkTitle.throughput(
                "overload", "leased, completed at twice the load that the store takes ÷ at that load", GOOD);
    }

    @Override
    public BenchmarkResult measure(BenchmarkTestbed lab, CaseProgressListener meter) throws Exception {
        try (var side = new Claims(lab.freshDatabase())) {
            var time = lab.scale().slice().multipliedBy(SLICES);
            var capacity = new ClosedLoopLoad(CALLERS, lab.scale().lead(), time);
            for (int i = 0; i < WARM_UPS; i++) {
                flood(side, capacity.on(side).perSecond() * TENFOLD, time);
            }
            var twice = new ArrayList<Double>();
            var tenfold = new ArrayList<Double>();
            var generator = new ArrayList<Double>();
            var quiet = new ArrayList<Double>();
            for (int round = 0; round < ROUNDS; round++) {
                meter.at(round, ROUNDS, "round " + (round + 1) + " of " + ROUNDS);
                double before = capacity.on(side).perSecond();
                double atTwice = flood(side, before * TWICE, time);
                double between = capacity.on(side).perSecond();
                double atTenfold = flood(side, between * TENFOLD, time);
                double after = capacity.on(side).perSecond();
                twice.add(atTwice / mean(before, between));
                tenfold.add(atTenfold / mean(between, after));
                generator.add(new OpenLoopLoad(between * TENFOLD, lab.scale().lead(), time)
                        .on(new IdleCalls())
                        .cpus());
                quiet.add(quietP99(side, after * TWICE, time) / quietP99(side, after * USUAL, time));
            }
            return new BenchmarkResult(
                    title(),
                    QuartileSpread.of(twice),
                    ROUNDS,
                    List.of(
                            SecondaryMeasurement.of(
                                            "at ten times that load",
                                            QuartileSpread.of(tenfold).median(),
                                            "")
                                    .barred(BenchmarkThreshold.atLeast(GOOD)),
                            SecondaryMeasurement.of(
                                    "generator at ten times, alone",
                                    QuartileSpread.of(generator).median(),
                                    "CPUs"),
                            SecondaryMeasurement.of(
                                            "p99 of other tenants while one sends twice that ÷ while it sends 0.7",
                                            QuartileSpread.of(quiet).median(),
                                            "")
                                    .barred(BenchmarkThreshold.atMost(2))),
                    List.of());
        }
    }

    /** Returns how many calls are completed per second while so many begin. */
    private static double flood(Claims side, double perSecond, Duration time) throws Exception {
        return new OpenLoopLoad(perSecond, FILLED, time).on(side).succeeded();
    }

    /** Returns the capacity during a flood: the mean of those before and after it, because a machine's speed drifts. */
    private static double mean(double before, double after) {
        return (before + after) / 2;
    }

    /** Calls that are prepared and not made: what they cost is the generator's. */
    private static final class IdleCalls implements BenchmarkWorkload {

        @Override
        public String name() {
            return "idle";
        }

        @Override
        public void callOnce() {
            var unused = SampleTraffic.call();
        }
    }

    /** Returns the p99 of a few tenants that wait for their answers, beside one that sends at this rate and does not. */
    private static double quietP99(Claims side, double flood, Duration time) throws Exception {
        try (var threads = Executors.newSingleThreadExecutor()) {
            var flooding = threads.submit(() -> new OpenLoopLoad(flood, FILLED, time).on(side.of("flood")));
            double p99 =
                    new ClosedLoopLoad(QUIET_CALLERS, FILLED, time).on(side).quantile(P99);
            flooding.get();
            return p99;
        }
    }

    /** Workload that claims and completes, and does nothing in between. */
    private static final class Claims implements BenchmarkWorkload {

        private final BenchmarkPaymentApp shop;
        private final JdbcStore store;
        private final Refrain refrain;
        private final LeasedOperation<Outcome.Answer> operation;

        Claims(String url) throws SQLException {
            shop = BenchmarkPaymentApp.on(url);
            store = JdbcStore.on(shop.pool());
            refrain = Refrain.using(store, RefrainSettings.defaults());
            operation = refrain.operation(SampleTraffic.OPERATION)
                    .storeTimeout(PATIENCE)
                    .leased(LeaseExpiryPolicy.RESUME);
        }

        @Override
        public String name() {
            return "claims";
        }

        @Override
        public void callOnce() {
            operation.run(SampleTraffic.call(), claim -> SampleTraffic.answer());
        }

        /** Returns the same with calls of this tenant alone. */
        BenchmarkWorkload of(String tenant) {
            return new BenchmarkWorkload() {
                @Override
                public String name() {
                    return tenant;
                }

                @Override
                public void callOnce() {
                    operation.run(SampleTraffic.callOf(tenant), claim -> SampleTraffic.answer());
                }
            };
        }

        @Override
        public void close() {
            refrain.close();
            store.close();
            shop.close();
        }
    }
}
