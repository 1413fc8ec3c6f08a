package dev.refrain.http.client;

import java.time.InstantSource;
import java.util.UUID;
import java.util.concurrent.locks.ReentrantLock;
import java.util.random.RandomGenerator;

/**
 * Generator of version 7 UUIDs (RFC 9562): milliseconds, a 12-bit counter and random bits. Each is greater than the one
 * before, also within a millisecond and when the clock goes back. Thread-safe.
 */
final class UuidV7Generator {

    private static final int COUNTER_LIMIT = 1 << 12;

    private final InstantSource clock;
    private final RandomGenerator random;
    private final ReentrantLock lock = new ReentrantLock();
    private long millis = Long.MIN_VALUE;
    private int counter;

    UuidV7Generator(InstantSource clock, RandomGenerator random) {
        this.clock = clock;
        this.random = random;
    }

    UUID next() {
        lock.lock();
        try {
            long now = clock.millis();
            if (now > millis) {
                startMillisecond(now);
            } else if (++counter == COUNTER_LIMIT) {
                startMillisecond(millis + 1);
            }
            return new UUID(
                    (millis << 16) | 0x7000L | counter,
                    (random.nextLong() & 0x3FFF_FFFF_FFFF_FFFFL) | 0x8000_0000_0000_0000L);
        } finally {
            lock.unlock();
        }
    }

    /** Starts the counter in its lower half, to leave room within a busy millisecond. */
    private void startMillisecond(long at) {
        millis = at;
        counter = random.nextInt(COUNTER_LIMIT / 2);
    }
}
