package dev.refrain.http.client;

import java.time.InstantSource;
import java.util.UUID;
import java.util.concurrent.locks.ReentrantLock;
import java.util.random.RandomGenerator;

/**
 * UUIDs as RFC 9562 makes version 7: milliseconds, then a counter of 12 bits, then chance. Each one is greater than the one
 * before, also within a millisecond and when the clock goes back. Thread-safe.
 */
final class UuidV7Generator {

    private static final int COUNTER_LIMIT = 1 << 12;

    private final InstantSource clock;
    private final RandomGenerator random;
    private final ReentrantLock turn = new ReentrantLock();
    private long millis = Long.MIN_VALUE;
    private int counter;

    UuidV7Generator(InstantSource clock, RandomGenerator random) {
        this.clock = clock;
        this.random = random;
    }

    UUID next() {
        turn.lock();
        try {
            long now = clock.millis();
            if (now > millis) {
                begin(now);
            } else if (++counter == COUNTER_LIMIT) {
                begin(millis + 1);
            }
            return new UUID(
                    (millis << 16) | 0x7000L | counter,
                    (random.nextLong() & 0x3FFF_FFFF_FFFF_FFFFL) | 0x8000_0000_0000_0000L);
        } finally {
            turn.unlock();
        }
    }

    /** The counter begins in its lower half, so that a busy millisecond has room above. */
    private void begin(long at) {
        millis = at;
        counter = random.nextInt(COUNTER_LIMIT / 2);
    }
}
