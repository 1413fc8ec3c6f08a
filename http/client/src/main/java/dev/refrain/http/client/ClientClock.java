package dev.refrain.http.client;

import java.time.Duration;
import java.time.Instant;

/** Clock and sleep of the client, injectable for tests. Implementations must be thread-safe. */
public interface ClientClock {

    /** Returns the wall-clock time. Retention is measured with it, since it goes on while the process is down. */
    Instant now();

    /** Returns a monotonic time as {@link System#nanoTime()} does. Deadlines are measured with it. */
    long nanos();

    void sleep(Duration time) throws InterruptedException;

    static ClientClock system() {
        return SystemClientClock.INSTANCE;
    }
}
