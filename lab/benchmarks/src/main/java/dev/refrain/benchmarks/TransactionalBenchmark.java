package dev.refrain.benchmarks;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Compares claim, work and outcome in one transaction with the work's transaction alone, and with what people write by hand.
 *
 * @param isLong whether a quick run leaves it out
 */
record TransactionalBenchmark(BenchmarkTitle title, int callers, boolean isLong) implements BenchmarkCase {

    private static final int MANY = 128;
    private static final int TWINS = 100;

    static BenchmarkCase with128Callers() {
        return of("transactional", MANY, 0.78, false);
    }

    static BenchmarkCase with32Callers() {
        return of("transactional-32", 32, 0.80, true);
    }

    static BenchmarkCase with8Callers() {
        return of("transactional-8", 8, 0.66, false);
    }

    static BenchmarkCase withOneCaller() {
        return of("transactional-1", 1, 0.74, true);
    }

    private static BenchmarkCase of(String name, int callers, double bar, boolean isLong) {
        return new TransactionalBenchmark(
                BenchmarkTitle.throughput(
                        name,
                        "protected ÷ unprotected handler, all in one transaction, " + BenchmarkTitle.callers(callers),
                        bar),
                callers,
                isLong);
    }

    @Override
    public BenchmarkResult measure(BenchmarkTestbed lab, CaseProgressListener meter) throws Exception {
        String url = lab.freshDatabase();
        try (var ours = new TransactionalWorkload(url);
                var unprotected = new UnprotectedWorkload(url);
                var keyFirst = HandWrittenKeyWorkload.keyFirst(url);
                var keyLast = HandWrittenKeyWorkload.keyLast(url)) {
            var sides = lab.pairs(meter).measure(List.of(ours, unprotected, keyFirst, keyLast), callers);
            var readings = new ArrayList<SecondaryMeasurement>();
            readings.add(SecondaryMeasurement.of("÷ by hand, key first", ratio(sides, 2), ""));
            readings.add(SecondaryMeasurement.of("÷ by hand, key last", ratio(sides, 3), "")
                    .barred(BenchmarkThreshold.atLeast(1)));
            if (callers == MANY) {
                readings.add(SecondaryMeasurement.of("a twin is told \"busy\" after", busyToldAfter(ours), "ms"));
            }
            return new BenchmarkResult(
                    title,
                    sides.getFirst().ratioTo(sides.get(1), MeasuredSlice::perSecond),
                    sides.getFirst().slices().size(),
                    readings,
                    sides.stream().map(WorkloadFigures::of).toList());
        }
    }

    private static double ratio(List<MeasuredSide> sides, int other) {
        return sides.getFirst()
                .ratioTo(sides.get(other), MeasuredSlice::perSecond)
                .median();
    }

    private static double busyToldAfter(TransactionalWorkload side) throws Exception {
        double[] told = new double[TWINS];
        for (int i = 0; i < TWINS; i++) {
            told[i] = side.busyToldAfter();
        }
        return QuartileSpread.of(
                        IntStream.range(0, TWINS).mapToObj(i -> told[i]).toList())
                .median();
    }
}
