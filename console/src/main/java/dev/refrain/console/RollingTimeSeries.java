package dev.refrain.console;

import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.LongAdder;

/** How much of something came in each of the last {@value #STEPS} steps of time, and ever. Safe for use by many threads. */
final class RollingTimeSeries {

    static final int STEPS = 120;
    static final Duration STEP = Duration.ofSeconds(5);

    private final InstantSource clock;
    /** A ring, with one place between the newest and the oldest that is being emptied. */
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
        // Whoever comes first in a step empties its place; a count that comes at that very moment may be lost from the
        // chart.
        if (was != step && steps.compareAndSet(place, was, step)) {
            amounts.set(place, 0);
        }
        amounts.addAndGet(place, amount);
    }

    /** One amount for each step, the latest last. */
    List<Long> values() {
        long now = step();
        var values = new ArrayList<Long>(STEPS);
        for (long step = now - STEPS + 1; step <= now; step++) {
            int place = (int) Math.floorMod(step, (long) STEPS + 1);
            values.add(steps.get(place) == step ? amounts.get(place) : 0);
        }
        return values;
    }

    /** Of the last minute. */
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
