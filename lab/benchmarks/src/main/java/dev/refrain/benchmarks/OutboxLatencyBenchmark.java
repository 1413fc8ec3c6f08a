package dev.refrain.benchmarks;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Measures the time from the commit of a lone message to its delivery: to a relay that has just delivered another one, and to one that sleeps. */
record OutboxLatencyBenchmark() implements BenchmarkCase {

    private static final int LONE = 21;

    /** Time after which a relay is asleep and has to be woken by a commit. */
    private static final Duration ASLEEP = Duration.ofMillis(700);

    private static final Duration AWAKE = Duration.ofMillis(30);

    @Override
    public BenchmarkTitle title() {
        return new BenchmarkTitle(
                "outbox-idle",
                "from commit to delivery of a lone message, relay awake",
                "milliseconds (p50)",
                BenchmarkThreshold.atMost(1.5));
    }

    @Override
    public boolean isLong() {
        return true;
    }

    @Override
    public BenchmarkResult measure(BenchmarkTestbed lab, CaseProgressListener meter) throws Exception {
        try (var outbox = new OutboxWorkload(lab.freshDatabase())) {
            lab.pairs(meter).warmUp(List.of(outbox), 1);
            var awake = latencies(outbox, AWAKE);
            var asleep = latencies(outbox, ASLEEP);
            return new BenchmarkResult(
                    title(),
                    awake,
                    LONE,
                    List.of(SecondaryMeasurement.of("relay asleep", asleep.median(), "ms")),
                    List.of());
        }
    }

    private static QuartileSpread latencies(OutboxWorkload outbox, Duration pause) throws Exception {
        var after = new ArrayList<Double>();
        for (int i = 0; i < LONE; i++) {
            Thread.sleep(pause);
            after.add(outbox.handledAfter());
        }
        return QuartileSpread.of(after);
    }
}
