package dev.refrain.console;

import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.LongAdder;

/** Sums of an amount for each of the last {@value #STEPS} intervals, and in total. Thread-safe. */
final class RollingTimeSeries {

    static final int STEPS = 120;
    static final Duration STEP = Duration.ofSeconds(5);

    private final InstantSource clock;
    /** Ring buffer, with one slot between the newest and the oldest that is being cleared. */
    private final AtomicLongArray amounts = new AtomicLongArray(STEPS + 1);

    private final AtomicLongArray steps = new AtomicLongArray(STEPS + 1);
    private final LongAdder total = new LongAdder();

    RollingTimeSeries(InstantSource clock) {
        this.clock = clock;
    }

    void add(long amount) {
        total.add(amount);
        long step = step();
        int place = (int) Math.floorMod(step, (long) STEPS + 1);
        long was = steps.get(place);
        // The first one in an interval clears its slot; a concurrent amount may be lost from the chart.
        if (was != step && steps.compareAndSet(place, was, step)) {
            amounts.set(place, 0);
        }
        amounts.addAndGet(place, amount);
    }

    /** Sums per interval, latest last. */
    List<Long> values() {
        long now = step();
        var values = new ArrayList<Long>(STEPS);
        for (long step = now - STEPS + 1; step <= now; step++) {
            int place = (int) Math.floorMod(step, (long) STEPS + 1);
            values.add(steps.get(place) == step ? amounts.get(place) : 0);
        }
        return values;
    }

    /** Sum of the last minute. */
    long lastMinute() {
        int minute = (int) Duration.ofMinutes(1).dividedBy(STEP);
        return values().subList(STEPS - minute, STEPS).stream()
                .mapToLong(Long::longValue)
                .sum();
    }

    long total() {
        return total.sum();
    }

    private long step() {
        return clock.millis() / STEP.toMillis();
    }
}
