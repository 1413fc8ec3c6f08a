package dev.refrain.store.jdbc;

import dev.refrain.api.ExecutionEnvironment;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Real time, in which whoever waits for a key polls a few times within 150 ms and then not for ten minutes: what ends the wait after that is a
 * wake-up.
 */
final class SlowPollingEnvironment implements ExecutionEnvironment {

    private static final Duration SHORT = Duration.ofMillis(100);
    private static final Duration LONGEST_POLL = Duration.ofSeconds(1);
    private static final Duration NEVER = Duration.ofMinutes(10);

    private final ExecutionEnvironment real = ExecutionEnvironment.system();
    private final CountDownLatch slow = new CountDownLatch(1);

    /** Waits until somebody waits who does not poll any more. */
    void awaitSlowPoll() throws InterruptedException {
        if (!slow.await(1, TimeUnit.MINUTES)) {
            throw new AssertionError("Nobody waits.");
        }
    }

    @Override
    public Timer schedule(Duration delay, Runnable task) {
        if (delay.compareTo(SHORT) <= 0 || delay.compareTo(LONGEST_POLL) > 0) {
            return real.schedule(delay, task);
        }
        slow.countDown();
        return real.schedule(NEVER, task);
    }

    @Override
    public long nanoTime() {
        return real.nanoTime();
    }

    @Override
    public void startThread(String name, Runnable body) {
        real.startThread(name, body);
    }

    @Override
    public UUID newNonce() {
        return real.newNonce();
    }
}
