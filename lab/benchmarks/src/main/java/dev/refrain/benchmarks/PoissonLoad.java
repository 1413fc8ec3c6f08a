package dev.refrain.benchmarks;

import dev.refrain.store.StoreOverloadedException;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Open-loop load with Poisson arrivals, as independent clients produce it. A call's latency counts from the moment at which it was meant to begin, so
 * that a stall of the machine or of the pool is not hidden by the calls that it keeps from beginning.
 */
record PoissonLoad(double perSecond, Duration time) {

    private static final double NANOS_PER_SECOND = 1e9;
    private static final long SEED = 4711;

    /**
     * Runs the load on a side and returns the latencies of all calls, each measured to its end. A refused call counts as one that takes the
     * whole time of the load: a quick refusal is no quick answer.
     */
    LatencyHistogram on(BenchmarkWorkload side) throws Exception {
        var random = new Random(SEED);
        var latencies = new ConcurrentLinkedQueue<Long>();
        var failure = new AtomicReference<@Nullable Exception>();
        long begin = System.nanoTime();
        long end = begin + time.toNanos();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (double due = begin; due < end; due += gap(random)) {
                long meant = (long) due;
                for (long left = meant - System.nanoTime(); left > 0; left = meant - System.nanoTime()) {
                    LockSupport.parkNanos(left);
                }
                threads.execute(() -> call(side, meant, latencies, failure));
            }
        }
        var failed = failure.get();
        if (failed != null) {
            throw new MeasurementFailedException("A call of the side '" + side.name() + "' failed.", failed);
        }
        var all = new LatencyHistogram();
        latencies.forEach(all::add);
        return all;
    }

    private double gap(Random random) {
        return -Math.log(1 - random.nextDouble()) / perSecond * NANOS_PER_SECOND;
    }

    private void call(
            BenchmarkWorkload side,
            long meant,
            ConcurrentLinkedQueue<Long> latencies,
            AtomicReference<@Nullable Exception> failure) {
        try {
            side.callOnce();
            latencies.add(System.nanoTime() - meant);
        } catch (StoreOverloadedException refused) {
            latencies.add(time.toNanos());
        } catch (Exception e) {
            failure.compareAndSet(null, e);
        }
    }
}
