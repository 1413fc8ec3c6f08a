package dev.refrain.http.client;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Clock that advances only by sleeping, or explicitly. */
final class ManualClientClock implements ClientClock {

    static final Instant START = Instant.parse("2026-03-01T12:00:00Z");

    final List<Duration> pauses = new CopyOnWriteArrayList<>();
    private volatile Duration passed = Duration.ZERO;

    @Override
    public Instant now() {
        return START.plus(passed);
    }

    @Override
    public long nanos() {
        return passed.toNanos();
    }

    @Override
    public void sleep(Duration time) throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        pauses.add(time);
        advance(time);
    }

    void advance(Duration time) {
        passed = passed.plus(time);
    }
}
