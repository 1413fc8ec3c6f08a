package dev.refrain.benchmarks;

import java.util.List;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Compares a protected handler that inserts one row with an unprotected one, through a whole Spring application.
 *
 * @param isLong whether a quick run leaves it out
 */
record SpringEndpointBenchmark(BenchmarkTitle title, int callers, boolean isLong) implements BenchmarkCase {

    static final int CALLERS = 64;

    static BenchmarkCase with64Callers() {
        return of("http", CALLERS, 0.78, false);
    }

    static BenchmarkCase with8Callers() {
        return of("http-8", 8, 0.70, true);
    }

    private static BenchmarkCase of(String name, int callers, double bar, boolean isLong) {
        return new SpringEndpointBenchmark(
                BenchmarkTitle.throughput(
                        name,
                        "protected ÷ unprotected Spring endpoint, both insert one row, "
                                + BenchmarkTitle.callers(callers),
                        bar),
                callers,
                isLong);
    }

    @Override
    public BenchmarkResult measure(BenchmarkTestbed lab, CaseProgressListener meter) throws Exception {
        try (var shop = BenchmarkWebShop.on(lab.freshDatabase());
                var guarded = new HttpRequestWorkload(
                        "protected", shop.port(), "/protected", SpringEndpointBenchmark::newKey);
                var bare = new HttpRequestWorkload(
                        "unprotected", shop.port(), "/unprotected", SpringEndpointBenchmark::newKey)) {
            return title.reached(lab.pairs(meter).compare(guarded, bare, callers), List.of());
        }
    }

    static String newKey() {
        var random = ThreadLocalRandom.current();
        return new UUID(random.nextLong(), random.nextLong()).toString();
    }
}
