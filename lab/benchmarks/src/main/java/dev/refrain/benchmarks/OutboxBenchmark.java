package dev.refrain.benchmarks;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Messages that are staged with a payment and delivered, against rows that are only inserted with it. */
final class OutboxBenchmark implements BenchmarkCase {

    private static final int CALLERS = 128;
    private static final int LONE = 7;

    /** After this a relay is no longer awake by itself, and waits for the commit to wake it. */
    private static final Duration IDLE = Duration.ofMillis(700);

    @Override
    public BenchmarkTitle title() {
        return BenchmarkTitle.throughput(
                "outbox", "staged and delivered ÷ bare inserts in the same transactions", 0.50);
    }

    @Override
    public BenchmarkResult measure(BenchmarkEnvironment lab, CaseProgressListener meter) throws Exception {
        String url = lab.freshDatabase();
        try (var outbox = new OutboxWorkload(url);
                var bare = new BareInsertWorkload(url)) {
            var compared = lab.pairs(meter).compare(outbox, bare, CALLERS);
            var after = new ArrayList<Double>();
            for (int i = 0; i < LONE; i++) {
                Thread.sleep(IDLE);
                after.add(outbox.handledAfter());
            }
            return title().reached(
                            compared,
                            List.of(SecondaryMeasurement.of(
                                            "from commit to delivery at idle",
                                            QuartileSpread.of(after).median(),
                                            "ms")
                                    .barred(BenchmarkThreshold.atMost(20))));
        }
    }
}
