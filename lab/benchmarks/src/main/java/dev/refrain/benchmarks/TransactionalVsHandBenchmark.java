package dev.refrain.benchmarks;

import java.util.List;

/** Compares the transactional handler with the quickest that people write by hand: work, then insert key and answer. */
record TransactionalVsHandBenchmark(BenchmarkTitle title, int callers) implements BenchmarkCase {

    static BenchmarkCase with(String name, int callers) {
        return new TransactionalVsHandBenchmark(
                BenchmarkTitle.throughput(
                        name, "transactional ÷ by hand, key last, " + BenchmarkTitle.callers(callers), 1.0),
                callers);
    }

    @Override
    public boolean isLong() {
        return true;
    }

    @Override
    public BenchmarkResult measure(BenchmarkTestbed lab, CaseProgressListener meter) throws Exception {
        String url = lab.freshDatabase();
        try (var ours = new TransactionalWorkload(url);
                var keyLast = HandWrittenKeyWorkload.keyLast(url)) {
            return title.reached(lab.pairs(meter).compare(ours, keyLast, callers), List.of());
        }
    }
}
