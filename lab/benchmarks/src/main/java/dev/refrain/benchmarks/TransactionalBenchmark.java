package dev.refrain.benchmarks;

import java.util.List;
import java.util.stream.IntStream;

/** Compares claim, work and outcome in one transaction with the work's transaction alone. */
final class TransactionalBenchmark implements BenchmarkCase {

    private static final int CALLERS = 128;
    private static final int TWINS = 100;

    @Override
    public BenchmarkTitle title() {
        return BenchmarkTitle.throughput(
                "transactional", "protected ÷ unprotected handler, all in one transaction", 0.70);
    }

    @Override
    public BenchmarkResult measure(BenchmarkEnvironment lab, CaseProgressListener meter) throws Exception {
        String url = lab.freshDatabase();
        try (var side = new TransactionalWorkload(url);
                var unprotected = new UnprotectedWorkload(url)) {
            var compared = lab.pairs(meter).compare(side, unprotected, CALLERS);
            double[] told = new double[TWINS];
            for (int i = 0; i < TWINS; i++) {
                told[i] = side.busyToldAfter();
            }
            var busy = QuartileSpread.of(
                    IntStream.range(0, TWINS).mapToObj(i -> told[i]).toList());
            return title().reached(
                            compared,
                            List.of(SecondaryMeasurement.of("a twin is told \"busy\" after", busy.median(), "ms")));
        }
    }
}
