package dev.refrain.benchmarks;

import java.util.List;

/** Measures how many messages few callers stage and have delivered, one after the other: what a quiet outbox costs its callers. */
record OutboxRateBenchmark(BenchmarkTitle title, int callers) implements BenchmarkCase {

    static BenchmarkCase with8Callers() {
        return of("outbox-8", 8, 3_000);
    }

    static BenchmarkCase withOneCaller() {
        return of("outbox-1", 1, 1_000);
    }

    private static BenchmarkCase of(String name, int callers, double bar) {
        return new OutboxRateBenchmark(
                new BenchmarkTitle(
                        name,
                        "messages staged and delivered, each caller waiting for its own, "
                                + BenchmarkTitle.callers(callers),
                        "messages per second",
                        BenchmarkThreshold.atLeast(bar)),
                callers);
    }

    @Override
    public boolean isLong() {
        return true;
    }

    @Override
    public BenchmarkResult measure(BenchmarkTestbed lab, CaseProgressListener meter) throws Exception {
        String url = lab.freshDatabase();
        try (var outbox = new OutboxWorkload(url);
                var bare = new BareInsertWorkload(url)) {
            var compared = lab.pairs(meter).compare(outbox, bare, callers);
            var rate = QuartileSpread.of(compared.first().slices().stream()
                    .map(MeasuredSlice::perSecond)
                    .toList());
            return new BenchmarkResult(title, rate, compared.pairs(), List.of(), compared.figures());
        }
    }
}
