package dev.refrain.api;

import java.security.SecureRandom;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** Environment of a running application. One daemon thread, which ends when no timer is set, serves all timers;
 * they only hand work on. */
final class SystemExecutionEnvironment implements ExecutionEnvironment {

    static final SystemExecutionEnvironment INSTANCE = new SystemExecutionEnvironment();

    private final ScheduledThreadPoolExecutor timers;
    private final SecureRandom random = new SecureRandom();

    private SystemExecutionEnvironment() {
        // All applications of this process share the thread: it must not keep the class loader of the one that started
        // it.
        timers = new ScheduledThreadPoolExecutor(
                1,
                Thread.ofPlatform()
                        .daemon()
                        .name("refrain-timers")
                        .inheritInheritableThreadLocals(false)
                        .factory());
        timers.setRemoveOnCancelPolicy(true);
        // An application that is closed, or that failed to start, leaves no thread behind. While timers are set, the
        // thread stays.
        timers.setKeepAliveTime(1, TimeUnit.SECONDS);
        timers.allowCoreThreadTimeOut(true);
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
        // UUID version 7: 48 bits of milliseconds first, so that ids sort in the order of their creation.
        long high = (System.currentTimeMillis() << 16) | 0x7000L | (random.nextInt() & 0x0FFFL);
        long low = (random.nextLong() & 0x3FFF_FFFF_FFFF_FFFFL) | 0x8000_0000_0000_0000L;
        return new UUID(high, low);
    }
}
