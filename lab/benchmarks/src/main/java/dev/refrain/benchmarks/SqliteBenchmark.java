package dev.refrain.benchmarks;
/** Compares batched with unbatched claims and completions in one SQLite file, durable on commit. */
final class SqliteBenchmark implements BenchmarkCase {

    private static final int CALLERS = 128;

    @Override
    public BenchmarkTitle title() {
        return BenchmarkTitle.throughput("sqlite", "leased on SQLite, batched ÷ one commit each", 5);
    }

    @Override
    public BenchmarkResult measure(BenchmarkTestbed lab, CaseProgressListener meter) throws Exception {
        try (var batched = new SqliteBatchedWorkload(lab.freshFile("batched.db"));
                var single = new SqliteUnbatchedWorkload(lab.freshFile("single.db"))) {
            return title().reached(lab.pairs(meter).compare(batched, single, CALLERS), batched.readings());
        }
    }
}
