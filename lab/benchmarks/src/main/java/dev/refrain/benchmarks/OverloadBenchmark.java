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
    private static final double TWICE = 2;
    private static final double TENFOLD = 10;
    private static final double USUAL = 0.7;
    private static final double GOOD = 0.90;
    private static final int QUIET_CALLERS = 8;
    private static final double P99 = 0.99;
    private static final Duration LEAD = Duration.ofMillis(200);
    private static final int SLICES = 3;
    private static final Duration PATIENCE = Duration.ofSeconds(1);

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
            capacity.on(side);
            var twice = new ArrayList<Double>();
            var tenfold = new ArrayList<Double>();
            double generator = 0;
            var quiet = new ArrayList<Double>();
            for (int round = 0; round < ROUNDS; round++) {
                meter.at(round, ROUNDS, "round " + (round + 1) + " of " + ROUNDS);
                double most = capacity.on(side).perSecond();
                twice.add(new OpenLoopLoad(most * TWICE, time).on(side).succeeded() / most);
                var flood = new OpenLoopLoad(most * TENFOLD, time).on(side);
                tenfold.add(flood.succeeded() / besideIdleCalls(capacity, side, most * TENFOLD, time));
                generator = Math.max(generator, flood.generatorShare());
                quiet.add(quietP99(side, most * TWICE, time) / quietP99(side, most * USUAL, time));
            }
            return new BenchmarkResult(
                    title(),
                    QuartileSpread.of(twice),
                    ROUNDS,
                    List.of(
                            SecondaryMeasurement.of(
                                            "at ten times ÷ capacity beside as many calls that do nothing",
                                            QuartileSpread.of(tenfold).median(),
                                            "")
                                    .barred(BenchmarkThreshold.atLeast(GOOD)),
                            SecondaryMeasurement.of("generator at ten times", generator, "CPUs"),
                            SecondaryMeasurement.of(
                                            "p99 of other tenants while one sends twice that ÷ while it sends 0.7",
                                            QuartileSpread.of(quiet).median(),
                                            "")
                                    .barred(BenchmarkThreshold.atMost(2))),
                    List.of());
        }
    }

    /**
     * Returns the capacity while the generator begins as many calls as under load, which do nothing: it runs on the same cores, and beginning ten
     * times as many calls takes a good part of them.
     */
    private static double besideIdleCalls(ClosedLoopLoad capacity, Claims side, double perSecond, Duration time)
            throws Exception {
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var generator =
                    threads.submit(() -> new OpenLoopLoad(perSecond, time.plus(capacity.lead())).on(new IdleCalls()));
            double most = capacity.on(side).perSecond();
            generator.get();
            return most;
        }
    }

    /** Calls that are prepared and not made. */
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
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var flooding = threads.submit(() -> new OpenLoopLoad(flood, time.plus(LEAD)).on(side.of("flood")));
            double p99 = new ClosedLoopLoad(QUIET_CALLERS, LEAD, time).on(side).quantile(P99);
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
