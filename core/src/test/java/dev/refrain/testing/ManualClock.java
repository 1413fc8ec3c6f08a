package dev.refrain.testing;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/** A store's clock that stands still until it is told to move. */
public final class ManualClock implements InstantSource {

    private volatile Instant now = Instant.parse("2026-03-01T12:00:00Z");

    @Override
    public Instant instant() {
        return now;
    }

    public synchronized void advance(Duration time) {
        now = now.plus(time);
    }
}
