package dev.refrain.api;

import java.security.SecureRandom;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** The environment of a running application. One daemon thread serves all timers, which only hand work on. */
final class SystemExecutionEnvironment implements ExecutionEnvironment {

    static final SystemExecutionEnvironment INSTANCE = new SystemExecutionEnvironment();

    private final ScheduledThreadPoolExecutor timers;
    private final SecureRandom random = new SecureRandom();

    private SystemExecutionEnvironment() {
        timers = new ScheduledThreadPoolExecutor(
                1, Thread.ofPlatform().daemon().name("refrain-timers").factory());
        timers.setRemoveOnCancelPolicy(true);
    }

    @Override
    public long nanoTime() {
        return System.nanoTime();
    }

    @Override
    public void startThread(String name, Runnable body) {
        Thread.ofVirtual().name(name).start(body);
    }

    @Override
    public Timer schedule(Duration delay, Runnable task) {
        var scheduled = timers.schedule(task, delay.toNanos(), TimeUnit.NANOSECONDS);
        return () -> scheduled.cancel(false);
    }

    @Override
    public UUID newNonce() {
        // UUID version 7: 48 bits of milliseconds first, so that ids made one after the other sort that way.
        long high = (System.currentTimeMillis() << 16) | 0x7000L | (random.nextInt() & 0x0FFFL);
        long low = (random.nextLong() & 0x3FFF_FFFF_FFFF_FFFFL) | 0x8000_0000_0000_0000L;
        return new UUID(high, low);
    }
}
