package dev.refrain.benchmarks;

import java.sql.SQLException;

/**
 * Compares the leased handler, with batched claims and completions, with the handler alone.
 *
 * @param isLong whether a quick run leaves it out
 */
record LeasedBenchmark(BenchmarkTitle title, int callers, Workload workload, boolean isLong) implements BenchmarkCase {

    /** Opens the protected side on a database. */
    @FunctionalInterface
    interface Workload {
        LeasedWorkload on(String url) throws SQLException;
    }

    static BenchmarkCase with128Callers() {
        return of("leased", 128, 0.75, false);
    }

    static BenchmarkCase with32Callers() {
        return of("leased-32", 32, 0.65, false);
    }

    static BenchmarkCase with8Callers() {
        return of("leased-8", 8, 0.42, false);
    }

    static BenchmarkCase withOneCaller() {
        return of("leased-1", 1, 0.38, true);
    }

    private static BenchmarkCase of(String name, int callers, double bar, boolean isLong) {
        return new LeasedBenchmark(
                BenchmarkTitle.throughput(
                        name, "leased ÷ unprotected, " + BenchmarkTitle.callers(callers) + ", 16 connections", bar),
                callers,
                LeasedWorkload::new,
                isLong);
    }

    /** The same with the policy HOLD, and records that have everything to explain: route, caller, trace and a derived key. */
    static BenchmarkCase holding() {
        return new LeasedBenchmark(
                BenchmarkTitle.throughput(
                        "leased-hold",
                        "leased with HOLD, caller, trace and derived key ÷ unprotected, 128 callers",
                        0.70),
                128,
                LeasedWorkload::holding,
                false);
    }

    /** The same with the request kept for people: 1 KiB, written with the claim and removed with the completion. */
    static BenchmarkCase holdingRequests() {
        return new LeasedBenchmark(
                BenchmarkTitle.throughput(
                        "leased-hold-request",
                        "leased-hold with a kept request of 1 KiB ÷ unprotected, 128 callers",
                        0.50),
                128,
                LeasedWorkload::holdingRequests,
                true);
    }

    @Override
    public BenchmarkResult measure(BenchmarkTestbed lab, CaseProgressListener meter) throws Exception {
        String url = lab.freshDatabase();
        try (var leased = workload.on(url);
                var unprotected = new UnprotectedWorkload(url)) {
            var compared = lab.pairs(meter).compare(leased, unprotected, callers);
            return title.reached(compared, leased.readings());
        }
    }
}
