package dev.refrain.benchmarks;

import dev.refrain.Refrain;
import dev.refrain.Settings;
import dev.refrain.observe.Event;
import dev.refrain.observe.Listener;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;

/** Leased traffic while the reaper deletes a million expired keys, against the same traffic while it rests. */
final class ReaperCase implements Case {

    private static final int CALLERS = 128;
    private static final Duration NEVER = Duration.ofDays(1);
    private static final Duration AT_ONCE = Duration.ofMillis(1);

    @Override
    public Title title() {
        return Title.throughput("reaper", "traffic while a million expired keys are reaped ÷ without", 0.80);
    }

    @Override
    public boolean isLong() {
        return true;
    }

    @Override
    public Result measure(Lab lab, Meter meter) throws Exception {
        String url = lab.freshDatabase();
        var quiet = Settings.defaults().with(new Settings.Chores(NEVER, NEVER, NEVER));
        try (var without = new LeasedSide("without", url, quiet)) {
            Preload.expired().into(url, lab.scale().expiredKeys(), meter);
            lab.settle(url);
            var reaping = new Reaping(without);
            var compared = lab.pairs(meter).compare(reaping, without, CALLERS);
            var p99 = compared.ratio(slice -> slice.quantile(0.99));
            return title().reached(
                            compared,
                            List.of(
                                    Reading.of("p99 ÷ p99", p99.median(), "ratio of latencies")
                                            .barred(Bar.atMost(2)),
                                    Reading.of("reaped", (double) reaping.reaped(), "keys")));
        }
    }

    /** The same callers, with a second instance beside them whose only chore is to reap. */
    private record Reaping(LeasedSide traffic, LongAdder count) implements Side {

        Reaping(LeasedSide traffic) {
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
            Listener counting = event -> {
                if (event instanceof Event.Reaped reaped) {
                    count.add(reaped.count());
                }
            };
            return Refrain.using(
                    traffic.store(),
                    Settings.defaults()
                            .with(new Settings.Chores(NEVER, NEVER, AT_ONCE))
                            .with(counting));
        }

        long reaped() {
            return count.sum();
        }
    }
}
