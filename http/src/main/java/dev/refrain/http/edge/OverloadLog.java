package dev.refrain.http.edge;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;

/** Logs refusals for overload together, because a line for each would be the next thing to be overloaded. Thread-safe. */
final class OverloadLog {

    private static final System.Logger LOG = System.getLogger(OverloadLog.class.getName());
    private static final Duration INTERVAL = Duration.ofSeconds(10);

    private final String route;
    private final LongSupplier nanoTime;
    private final LongAdder refused = new LongAdder();
    private final AtomicLong nextAt;

    OverloadLog(String route) {
        this(route, System::nanoTime);
    }

    OverloadLog(String route, LongSupplier nanoTime) {
        this.route = route;
        this.nanoTime = nanoTime;
        this.nextAt = new AtomicLong(nanoTime.getAsLong());
    }

    /** Counts a refused request, and logs all since the last line if that was long enough ago. */
    void refuse() {
        refused.increment();
        long now = nanoTime.getAsLong();
        long due = nextAt.get();
        if (now - due >= 0 && nextAt.compareAndSet(due, now + INTERVAL.toNanos())) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    () -> route + ": " + refused.sumThenReset()
                            + " requests were refused with 503 because the store has too much to do. Nothing ran for them, and their clients may retry. The metric refrain.store.overloaded counts all.");
        }
    }
}
