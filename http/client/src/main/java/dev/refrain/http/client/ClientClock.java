package dev.refrain.http.client;

import java.time.Duration;
import java.time.Instant;

/** Clocks and waiting, handed in so that a test can own them. */
public interface ClientClock {

    /** The time of day: what retention is judged by, because it goes on while a process is down. */
    Instant now();

    /** A clock that never jumps, as {@link System#nanoTime()}: what the deadline is judged by. */
    long nanos();

    void sleep(Duration time) throws InterruptedException;

    static ClientClock system() {
        return SystemClientClock.INSTANCE;
    }
}
