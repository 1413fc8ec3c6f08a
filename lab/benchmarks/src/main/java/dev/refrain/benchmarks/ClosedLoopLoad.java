package dev.refrain.benchmarks;

import java.time.Duration;
import java.util.Collections;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;

/**
 * Closed-loop load: callers on virtual threads, each of which calls again as soon as it is answered.
 *
 *
 * @param lead how long they run before anything is counted, so that a slice shows the steady state and not its beginning
 */
record ClosedLoopLoad(int callers, Duration lead, Duration time) {

    MeasuredSlice on(BenchmarkWorkload side) throws Exception {
        long begin = System.nanoTime() + lead.toNanos();
        long end = begin + time.toNanos();
        Callable<LatencyHistogram> caller = () -> call(side, begin, end);
        var all = new LatencyHistogram();
        try (var beside = side.backgroundWork();
                var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (var one : threads.invokeAll(Collections.nCopies(callers, caller))) {
                all.add(one.get());
            }
        } catch (ExecutionException e) {
            throw new BenchException("A call of the side '" + side.name() + "' failed: " + e.getCause(), e);
        }
        // Where a call takes longer than a slice, the slice has to be longer.
        return all.count() > 0
                ? new MeasuredSlice(time, all)
                : new ClosedLoopLoad(callers, lead, time.multipliedBy(2)).on(side);
    }

    private static LatencyHistogram call(BenchmarkWorkload side, long begin, long end) throws Exception {
        var latencies = new LatencyHistogram();
        long before = System.nanoTime();
        while (before - end < 0) {
            side.callOnce();
            long after = System.nanoTime();
            if (after - begin >= 0 && after - end < 0) {
                latencies.add(after - before);
            }
            before = after;
        }
        return latencies;
    }
}
