package dev.refrain.benchmarks;

import dev.refrain.store.StoreException;
import dev.refrain.store.StoreOverloadedException;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Open-loop load: calls that begin at a fixed rate, whether or not earlier ones were answered, as clients do that know nothing of one another.
 * A call that is refused is not repeated.
 *
 * @param perSecond calls that begin each second
 * @param lead how long it lasts before anything is counted: longer than calls may wait, or a slice shows how a queue fills
 */
record OpenLoopLoad(double perSecond, Duration lead, Duration time) {

    private static final double NANOS_PER_SECOND = 1e9;
    private static final Duration PAUSE = Duration.ofMillis(1);

    /**
     * Outcome of such a load.
     *
     * @param succeeded calls that were completed in the slice, per second
     * @param begun calls that began, in the lead too
     * @param refused those of them that were refused
     * @param expired those that were admitted and then not answered in time
     * @param cpus CPU time of this process in the slice, as a share of its time
     */
    record OpenLoopResult(double succeeded, long begun, long refused, long expired, double cpus) {}

    /** Counts at one moment. */
    private record Reading(long nanos, long done, long cpuNanos) {

        double perSecondSince(Reading earlier) {
            return (done - earlier.done) * NANOS_PER_SECOND / (nanos - earlier.nanos);
        }

        double cpusSince(Reading earlier) {
            return (cpuNanos - earlier.cpuNanos) / (double) (nanos - earlier.nanos);
        }
    }

    /** Calls of a side and how they ended. */
    private static final class CallCounter {
        private final BenchmarkWorkload side;
        private final LongAdder done = new LongAdder();
        private final LongAdder refused = new LongAdder();
        private final LongAdder expired = new LongAdder();
        private final AtomicReference<@Nullable Exception> failure = new AtomicReference<>();

        CallCounter(BenchmarkWorkload side) {
            this.side = side;
        }

        void call() {
            try {
                side.callOnce();
                done.increment();
            } catch (StoreOverloadedException | RequestRefusedException overloaded) {
                refused.increment();
            } catch (StoreException notInTime) {
                expired.increment();
            } catch (Exception e) {
                failure.compareAndSet(null, e);
            }
        }

        Reading read() {
            return new Reading(System.nanoTime(), done.sum(), processCpuNanos());
        }

        void requireNoFailure() {
            var failed = failure.get();
            if (failed != null) {
                throw new MeasurementFailedException("A call of the side '" + side.name() + "' failed.", failed);
            }
        }
    }

    /** Runs the load on a side. Calls begin on this thread, which is to be a platform thread: a virtual one would wait behind its own calls. */
    OpenLoopResult on(BenchmarkWorkload side) throws Exception {
        var calls = new CallCounter(side);
        long begun;
        Reading before;
        Reading after;
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            long begin = System.nanoTime();
            begun = beginUntil(begin, lead, 0, calls, threads);
            before = calls.read();
            begun = beginUntil(begin, lead.plus(time), begun, calls, threads);
            after = calls.read();
        }
        calls.requireNoFailure();
        return new OpenLoopResult(
                after.perSecondSince(before), begun, calls.refused.sum(), calls.expired.sum(), after.cpusSince(before));
    }

    /** Begins calls as they are due until the end, counted from the beginning; returns how many have begun. */
    private long beginUntil(long begin, Duration end, long before, CallCounter calls, ExecutorService threads)
            throws InterruptedException {
        long begun = before;
        for (long now = System.nanoTime(); now - begin < end.toNanos(); now = System.nanoTime()) {
            for (double due = (now - begin) / NANOS_PER_SECOND * perSecond; begun < due; begun++) {
                threads.execute(calls::call);
            }
            Thread.sleep(PAUSE);
        }
        return begun;
    }

    private static long processCpuNanos() {
        return ManagementFactory.getPlatformMXBean(com.sun.management.OperatingSystemMXBean.class)
                .getProcessCpuTime();
    }
}
