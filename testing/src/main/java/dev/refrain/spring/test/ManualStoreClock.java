package dev.refrain.spring.test;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicReference;

/** Clock of a store in memory that moves only when a test moves it. Thread-safe. */
public final class ManualStoreClock implements InstantSource {

    private final AtomicReference<Instant> now;

    /** Creates a clock that begins now. */
    public ManualStoreClock() {
        now = new AtomicReference<>(Instant.now());
    }

    @Override
    public Instant instant() {
        return now.get();
    }

    /** Lets this much time pass: leases and retentions that end in it are over. */
    public void advance(Duration time) {
        if (time.isNegative()) {
            throw new IllegalArgumentException("A store's clock cannot be set back by " + time.abs() + ".");
        }
        now.updateAndGet(instant -> instant.plus(time));
    }
}
