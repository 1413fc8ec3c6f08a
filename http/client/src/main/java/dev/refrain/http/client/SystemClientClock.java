package dev.refrain.http.client;

import java.time.Duration;
import java.time.Instant;

/** Real clock of the running JVM. */
enum SystemClientClock implements ClientClock {
    INSTANCE;

    @Override
    public Instant now() {
        return Instant.now();
    }

    @Override
    public long nanos() {
        return System.nanoTime();
    }

    @Override
    public void sleep(Duration time) throws InterruptedException {
        Thread.sleep(time);
    }
}
