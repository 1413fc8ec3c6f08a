package dev.refrain.benchmarks;

import dev.refrain.benchmarks.OpenLoopLoad.OpenLoopResult;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;

/**
 * Measures what is still completed when clients send more than the store can take, at twice and at ten times the rate that callers reach who
 * wait for their answers.
 *
 * <p>The load is made on the machine that is measured: ten times the calls are ten times the threads, whoever refuses them. So the same load
 * is also sent to a {@link RefusingWorkload}, which refuses at no cost, and the ratio to that shows what our refusals cost alone.
 */
record OverloadBenchmark(BenchmarkTitle title, Opening opening, boolean isLong) implements BenchmarkCase {

    private static final int CALLERS = 256;
    private static final int MOST_ROUNDS = 4;
    private static final int WARM_UPS = 3;
    private static final double TWICE = 2;
    private static final double TENFOLD = 10;
    private static final double USUAL = 0.7;
    private static final double GOOD = 0.90;
    private static final int QUIET_CALLERS = 8;
    private static final double P99 = 0.99;
    private static final int SLICES = 2;
    private static final double MICROS = 1e6;
    private static final double HUNDRED = 100;

    /** Lead of a flood: by then its first calls have been answered or have timed out. */
    private static final Duration FILLED = OverloadedShop.PATIENCE.plusMillis(200);

    /** Opens the measured side on a database. */
    @FunctionalInterface
    interface Opening {
        OverloadedShop on(String url) throws SQLException;
    }

    static BenchmarkCase leased() {
        return of("overload", "leased", OverloadedShop::leased, false);
    }

    static BenchmarkCase transactional() {
        return of("overload-transactional", "transactional", OverloadedShop::transactional, true);
    }

    private static BenchmarkCase of(String name, String mode, Opening opening, boolean isLong) {
        return new OverloadBenchmark(
                BenchmarkTitle.throughput(
                        name, mode + ", completed at twice the load that the store takes ÷ at that load", GOOD),
                opening,
                isLong);
    }

    /** What the rounds have shown. */
    private static final class Findings {
        final List<Double> twice = new ArrayList<>();
        final List<Double> twiceByControl = new ArrayList<>();
        final List<Double> tenfold = new ArrayList<>();
        final List<Double> tenfoldByControl = new ArrayList<>();
        final List<Double> refusalMicros = new ArrayList<>();
        final List<Double> generator = new ArrayList<>();
        final List<Double> expired = new ArrayList<>();
        final List<Double> quiet = new ArrayList<>();

        List<SecondaryMeasurement> readings() {
            var good = BenchmarkThreshold.atLeast(GOOD);
            return List.of(
                    reading("÷ the same load refused by a constant", twiceByControl, "")
                            .barred(good),
                    reading("at ten times that load", tenfold, "").barred(good),
                    reading("that ÷ the same load refused by a constant", tenfoldByControl, "")
                            .barred(good),
                    reading("CPU of a refused call, beyond the constant's", refusalMicros, "µs"),
                    reading("generator at ten times, alone", generator, "CPUs"),
                    reading("expired after they were admitted, for 100 completed", expired, ""),
                    reading("p99 of other tenants while one sends twice that ÷ while it sends 0.7", quiet, "")
                            .barred(BenchmarkThreshold.atMost(2)));
        }

        private static SecondaryMeasurement reading(String name, List<Double> values, String unit) {
            return SecondaryMeasurement.of(name, QuartileSpread.of(values).median(), unit);
        }
    }

    @Override
    public BenchmarkResult measure(BenchmarkTestbed lab, CaseProgressListener meter) throws Exception {
        int rounds = Math.clamp(lab.scale().pairs() / 2, 1, MOST_ROUNDS);
        try (var side = opening.on(lab.freshDatabase())) {
            var time = lab.scale().slice().multipliedBy(SLICES);
            var capacity = new ClosedLoopLoad(CALLERS, lab.scale().lead(), time);
            for (int i = 0; i < WARM_UPS; i++) {
                flood(side, capacity.on(side).perSecond() * TENFOLD, time);
            }
            var found = new Findings();
            for (int round = 0; round < rounds; round++) {
                meter.at(round, rounds, "round " + (round + 1) + " of " + rounds);
                measureRound(side, capacity, lab.scale().lead(), time, found);
            }
            return new BenchmarkResult(title(), QuartileSpread.of(found.twice), rounds, found.readings(), List.of());
        }
    }

    private static void measureRound(
            OverloadedShop side, ClosedLoopLoad capacity, Duration lead, Duration time, Findings found)
            throws Exception {
        var control = new RefusingWorkload(side, CALLERS);
        double before = capacity.on(side).perSecond();
        var atTwice = flood(side, before * TWICE, time);
        var controlAtTwice = flood(control, before * TWICE, time);
        double between = capacity.on(side).perSecond();
        double most = between * TENFOLD;
        var controlAtTenfold = flood(control, most, time);
        var atTenfold = flood(side, most, time);
        double after = capacity.on(side).perSecond();
        found.twice.add(atTwice.succeeded() / mean(before, between));
        found.twiceByControl.add(atTwice.succeeded() / controlAtTwice.succeeded());
        found.tenfold.add(atTenfold.succeeded() / mean(between, after));
        found.tenfoldByControl.add(atTenfold.succeeded() / controlAtTenfold.succeeded());
        found.refusalMicros.add((atTenfold.cpus() - controlAtTenfold.cpus()) * MICROS / (most - atTenfold.succeeded()));
        found.generator.add(
                new OpenLoopLoad(most, lead, time).on(new IdleCalls()).cpus());
        found.expired.add(HUNDRED
                * atTenfold.expired()
                / (atTenfold.succeeded() * time.plus(FILLED).toMillis() / 1e3));
        found.quiet.add(quietP99(side, after * TWICE, time) / quietP99(side, after * USUAL, time));
    }

    private static OpenLoopResult flood(BenchmarkWorkload side, double perSecond, Duration time) throws Exception {
        return new OpenLoopLoad(perSecond, FILLED, time).on(side);
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
    private static double quietP99(OverloadedShop side, double flood, Duration time) throws Exception {
        try (var threads = Executors.newSingleThreadExecutor()) {
            var flooding = threads.submit(() -> flood(side.of("flood"), flood, time));
            double p99 =
                    new ClosedLoopLoad(QUIET_CALLERS, FILLED, time).on(side).quantile(P99);
            flooding.get();
            return p99;
        }
    }
}
