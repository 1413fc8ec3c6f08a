package dev.refrain.benchmarks;

import java.util.List;

/** Compares a replay with a handler that returns a constant, through a whole Spring application. */
record SpringReplayBenchmark() implements BenchmarkCase {

    @Override
    public BenchmarkTitle title() {
        return BenchmarkTitle.throughput("http-replay", "replay ÷ Spring endpoint that returns a constant", 0.80);
    }

    @Override
    public BenchmarkResult measure(BenchmarkTestbed lab, CaseProgressListener meter) throws Exception {
        try (var shop = BenchmarkWebShop.on(lab.freshDatabase())) {
            return title().reached(
                            HttpReplayComparison.compared(lab.pairs(meter), shop.port(), "/protected", "/constant"),
                            List.of());
        }
    }
}
