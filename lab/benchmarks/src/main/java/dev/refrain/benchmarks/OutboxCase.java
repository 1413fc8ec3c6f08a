package dev.refrain.benchmarks;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Messages that are staged with a payment and delivered, against rows that are only inserted with it. */
final class OutboxCase implements Case {

    private static final int CALLERS = 128;
    private static final int LONE = 7;

    /** After this a relay is no longer awake by itself, and waits for the commit to wake it. */
    private static final Duration IDLE = Duration.ofMillis(700);

    @Override
    public Title title() {
        return Title.throughput("outbox", "staged and delivered ÷ bare inserts in the same transactions", 0.50);
    }

    @Override
    public Result measure(Lab lab, Meter meter) throws Exception {
        String url = lab.freshDatabase();
        try (var outbox = new OutboxSide(url);
                var bare = new BareInsertSide(url)) {
            var compared = lab.pairs(meter).compare(outbox, bare, CALLERS);
            var after = new ArrayList<Double>();
            for (int i = 0; i < LONE; i++) {
                Thread.sleep(IDLE);
                after.add(outbox.handledAfter());
            }
            return title().reached(
                            compared,
                            List.of(Reading.of(
                                            "from commit to delivery at idle",
                                            Spread.of(after).median(),
                                            "ms")
                                    .barred(Bar.atMost(20))));
        }
    }
}
