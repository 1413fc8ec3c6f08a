package dev.refrain.benchmarks;

import dev.refrain.Refrain;
import dev.refrain.RefrainSettings;
import dev.refrain.observe.RefrainEvent;
import dev.refrain.observe.RefrainListener;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;

/** Compares leased traffic while the reaper deletes a million expired keys with the same traffic without it. */
final class ReaperBenchmark implements BenchmarkCase {

    private static final int CALLERS = 128;
    private static final Duration NEVER = Duration.ofDays(1);
    private static final Duration AT_ONCE = Duration.ofMillis(1);

    @Override
    public BenchmarkTitle title() {
        return BenchmarkTitle.throughput("reaper", "traffic while a million expired keys are reaped ÷ without", 0.80);
    }

    @Override
    public boolean isLong() {
        return true;
    }

    @Override
    public BenchmarkResult measure(BenchmarkTestbed lab, CaseProgressListener meter) throws Exception {
        String url = lab.freshDatabase();
        var quiet = RefrainSettings.defaults().with(new RefrainSettings.MaintenanceSchedule(NEVER, NEVER, NEVER));
        try (var without = new LeasedWorkload("without", url, quiet)) {
            RecordPreloader.expired().into(url, lab.scale().expiredKeys(), meter);
            lab.settle(url);
            var reaping = new Reaping(without);
            var compared = lab.pairs(meter).compare(reaping, without, CALLERS);
            var p99 = compared.ratio(slice -> slice.quantile(0.99));
            return title().reached(
                            compared,
                            List.of(
                                    SecondaryMeasurement.of("p99 ÷ p99", p99.median(), "ratio of latencies")
                                            .barred(BenchmarkThreshold.atMost(2)),
                                    SecondaryMeasurement.of("reaped", (double) reaping.reaped(), "keys")));
        }
    }

    /** Workload with a second instance beside it that only reaps. */
    private record Reaping(LeasedWorkload traffic, LongAdder count) implements BenchmarkWorkload {

        Reaping(LeasedWorkload traffic) {
            this(traffic, new LongAdder());
        }

        @Override
        public String name() {
            return "while reaping";
        }

        @Override
        public void callOnce() throws Exception {
            traffic.callOnce();
        }

        @Override
        public AutoCloseable backgroundWork() {
            RefrainListener counting = event -> {
                if (event instanceof RefrainEvent.Reaped reaped) {
                    count.add(reaped.count());
                }
            };
            return Refrain.using(
                    traffic.store(),
                    RefrainSettings.defaults()
                            .with(new RefrainSettings.MaintenanceSchedule(NEVER, NEVER, AT_ONCE))
                            .with(counting));
        }

        long reaped() {
            return count.sum();
        }
    }
}
