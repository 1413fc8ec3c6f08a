package dev.refrain.benchmarks;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Compares messages that are staged with a payment and delivered with rows that are only inserted. */
final class OutboxBenchmark implements BenchmarkCase {

    private static final int CALLERS = 128;
    private static final int LONE = 7;

    /** Time after which a relay is asleep and has to be woken by a commit. */
    private static final Duration IDLE = Duration.ofMillis(700);

    @Override
    public BenchmarkTitle title() {
        return BenchmarkTitle.throughput(
                "outbox", "staged and delivered ÷ bare inserts in the same transactions", 0.50);
    }

    @Override
    public BenchmarkResult measure(BenchmarkTestbed lab, CaseProgressListener meter) throws Exception {
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
