package dev.refrain.benchmarks;

import java.util.List;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;

/** Compares a protected handler that inserts one row with an unprotected one, through a whole Spring application. */
record SpringEndpointBenchmark() implements BenchmarkCase {

    static final int CALLERS = 64;

    @Override
    public BenchmarkTitle title() {
        return BenchmarkTitle.throughput("http", "protected ÷ unprotected Spring endpoint, both insert one row", 0.70);
    }

    @Override
    public BenchmarkResult measure(BenchmarkEnvironment lab, CaseProgressListener meter) throws Exception {
        try (var shop = BenchmarkWebShop.on(lab.freshDatabase());
                var guarded = new HttpRequestWorkload(
                        "protected", shop.port(), "/protected", SpringEndpointBenchmark::newKey);
                var bare = new HttpRequestWorkload(
                        "unprotected", shop.port(), "/unprotected", SpringEndpointBenchmark::newKey)) {
            return title().reached(lab.pairs(meter).compare(guarded, bare, CALLERS), List.of());
        }
    }

    static String newKey() {
        var random = ThreadLocalRandom.current();
        return new UUID(random.nextLong(), random.nextLong()).toString();
    }
}
