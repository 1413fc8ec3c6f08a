package dev.refrain.testing;

import dev.refrain.Environment;
import java.time.Duration;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Time that stands still until a test moves it; threads are real, so that what runs at once runs at once.
 *
 * <p>Timers run on the thread that moves the time, in their order.
 */
public final class ManualEnvironment implements Environment {

    private record Alarm(long due, long order, Runnable task) {}

    private final PriorityQueue<Alarm> alarms =
            new PriorityQueue<>(Comparator.comparingLong(Alarm::due).thenComparingLong(Alarm::order));
    private static final AtomicLong PROCESSES = new AtomicLong();

    private final long process = PROCESSES.incrementAndGet();
    private final AtomicLong nonces = new AtomicLong();
    private long now;
    private long order;

    @Override
    public synchronized long nanos() {
        return now;
    }

    @Override
    public void start(String name, Runnable body) {
        Thread.ofVirtual().name(name).start(body);
    }

    @Override
    public synchronized Timer after(Duration delay, Runnable task) {
        var alarm = new Alarm(now + delay.toNanos(), order++, task);
        alarms.add(alarm);
        return () -> cancel(alarm);
    }

    private synchronized void cancel(Alarm alarm) {
        alarms.remove(alarm);
    }

    @Override
    public UUID nonce() {
        return new UUID(process << 16 | 0x7000L, 0x8000_0000_0000_0000L | nonces.incrementAndGet());
    }

    /** Moves the time, and runs what is due on the way. */
    public void advance(Duration time) {
        long target = nanos() + time.toNanos();
        while (true) {
            Runnable task;
            synchronized (this) {
                var next = alarms.peek();
                if (next == null || next.due() > target) {
                    now = Math.max(now, target);
                    return;
                }
                alarms.remove(next);
                now = Math.max(now, next.due());
                task = next.task();
            }
            task.run();
        }
    }

    /** How many timers wait. */
    public synchronized int alarms() {
        return alarms.size();
    }
}
