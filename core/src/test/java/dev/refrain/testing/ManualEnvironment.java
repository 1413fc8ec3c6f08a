package dev.refrain.testing;

import dev.refrain.api.ExecutionEnvironment;
import java.time.Duration;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/**
 * Time that stands still until a test moves it; threads are real, so that what runs at once runs at once.
 *
 * <p>Timers run on the thread that moves the time, in their order, and whatever they set off runs until it waits before the
 * time moves on.
 */
public final class ManualEnvironment implements ExecutionEnvironment {

    private record ManualTimer(long due, long order, Runnable task) {}

    private final PriorityQueue<ManualTimer> alarms =
            new PriorityQueue<>(Comparator.comparingLong(ManualTimer::due).thenComparingLong(ManualTimer::order));
    private static final AtomicLong PROCESSES = new AtomicLong();

    private final long process = PROCESSES.incrementAndGet();
    private final AtomicLong nonces = new AtomicLong();
    private final Consumer<Duration> follower;
    private long now;
    private long order;

    public ManualEnvironment() {
        this(time -> {});
    }

    /** @param follower another clock, which goes as this one does */
    public ManualEnvironment(Consumer<Duration> follower) {
        this.follower = follower;
    }

    @Override
    public synchronized long nanoTime() {
        return now;
    }

    @Override
    public void startThread(String name, Runnable body) {
        TestThreads.start(name, body);
    }

    @Override
    public synchronized Timer schedule(Duration delay, Runnable task) {
        var alarm = new ManualTimer(now + delay.toNanos(), order++, task);
        alarms.add(alarm);
        return () -> cancel(alarm);
    }

    private synchronized void cancel(ManualTimer alarm) {
        alarms.remove(alarm);
    }

    @Override
    public UUID newNonce() {
        return new UUID(process << 16 | 0x7000L, 0x8000_0000_0000_0000L | nonces.incrementAndGet());
    }

    /** Moves the time, and runs what is due on the way. */
    public void advance(Duration time) {
        long target = nanoTime() + time.toNanos();
        while (true) {
            TestThreads.settle();
            Runnable task;
            synchronized (this) {
                var next = alarms.peek();
                if (next == null || next.due() > target) {
                    moveTo(target);
                    return;
                }
                alarms.remove(next);
                moveTo(next.due());
                task = next.task();
            }
            task.run();
        }
    }

    private void moveTo(long time) {
        if (time > now) {
            follower.accept(Duration.ofNanos(time - now));
            now = time;
        }
    }

    /** How many timers wait. */
    public synchronized int alarms() {
        return alarms.size();
    }
}
