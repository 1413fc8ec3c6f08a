package dev.refrain.benchmarks;
/** Compares the leased handler, with batched claims and completions, with the handler alone. */
record LeasedBenchmark(BenchmarkTitle title, int callers) implements BenchmarkCase {

    static BenchmarkCase with128Callers() {
        return new LeasedBenchmark(
                BenchmarkTitle.throughput("leased", "leased ÷ unprotected, 128 callers on 16 connections", 0.70), 128);
    }

    static BenchmarkCase with32Callers() {
        return new LeasedBenchmark(
                BenchmarkTitle.throughput("leased-32", "leased ÷ unprotected, 32 callers on 16 connections", 0.50), 32);
    }

    @Override
    public BenchmarkResult measure(BenchmarkEnvironment lab, CaseProgressListener meter) throws Exception {
        String url = lab.freshDatabase();
        try (var leased = new LeasedWorkload(url);
                var unprotected = new UnprotectedWorkload(url)) {
            var compared = lab.pairs(meter).compare(leased, unprotected, callers);
            return title.reached(compared, leased.readings());
        }
    }
}
