package dev.refrain.benchmarks;

import dev.refrain.store.StoreException;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Open-loop load: calls that begin at a given rate, whether or not earlier ones were answered, as clients do that know nothing of one another.
 *
 * @param perSecond calls that begin each second
 */
record OpenLoopLoad(double perSecond, Duration time) {

    private static final double NANOS_PER_SECOND = 1e9;
    private static final Duration PAUSE = Duration.ofMillis(1);

    /**
     * Outcome of such a load.
     *
     * @param succeeded calls that were completed within the time, per second
     * @param refused calls that were refused, or not answered in time
     * @param generatorShare CPU time of the thread that begins the calls, as a share of the time
     */
    record OpenLoopResult(double succeeded, long begun, long refused, double generatorShare) {}

    OpenLoopResult on(BenchmarkWorkload side) throws Exception {
        var done = new LongAdder();
        var refused = new LongAdder();
        var failure = new AtomicReference<@Nullable Exception>();
        long begin = System.nanoTime();
        long cpu = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
        long begun = 0;
        double succeeded;
        double share;
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (long now = begin; now - begin < time.toNanos(); now = System.nanoTime()) {
                for (double due = (now - begin) / NANOS_PER_SECOND * perSecond; begun < due; begun++) {
                    threads.execute(() -> call(side, done, refused, failure));
                }
                Thread.sleep(PAUSE);
            }
            long took = System.nanoTime() - begin;
            succeeded = done.sum() * NANOS_PER_SECOND / took;
            share = (ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - cpu) / (double) took;
        }
        var failed = failure.get();
        if (failed != null) {
            throw new MeasurementFailedException("A call of the side '" + side.name() + "' failed.", failed);
        }
        return new OpenLoopResult(succeeded, begun, refused.sum(), share);
    }

    private static void call(
            BenchmarkWorkload side, LongAdder done, LongAdder refused, AtomicReference<@Nullable Exception> failure) {
        try {
            side.callOnce();
            done.increment();
        } catch (StoreException | RequestRefusedException notInTime) {
            refused.increment();
        } catch (Exception e) {
            failure.compareAndSet(null, e);
        }
    }
}
