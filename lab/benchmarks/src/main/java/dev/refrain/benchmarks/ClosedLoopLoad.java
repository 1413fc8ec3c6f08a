package dev.refrain.benchmarks;

import dev.refrain.benchmarks.ResourceMeter.ResourceReading;
import dev.refrain.store.StoreOverloadedException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;

/**
 * Closed-loop load: callers on virtual threads, each of which calls again as soon as it is answered. A call that is under way when the slice
 * ends is measured to its end, so that slow calls count as such.
 *
 * @param lead how long they run before anything is counted, so that a slice shows the steady state and not its beginning
 */
record ClosedLoopLoad(int callers, Duration lead, Duration time) {

    /** Source of what was used so far. */
    @FunctionalInterface
    interface UsedResources {
        ResourceReading read() throws SQLException;
    }

    private static final ResourceReading NOTHING = new ResourceReading(0, 0);

    /** Calls of one caller: those that ended in the slice, latencies of those under way in it, all that were answered, and those refused. */
    private record CallerResult(long completed, LatencyHistogram latencies, long answered, long refused) {}

    MeasuredSlice on(BenchmarkWorkload side) throws Exception {
        return on(side, () -> NOTHING);
    }

    MeasuredSlice on(BenchmarkWorkload side, UsedResources resources) throws Exception {
        var before = resources.read();
        var results = callAll(side);
        var used = resources.read().since(before);
        long completed = results.stream().mapToLong(CallerResult::completed).sum();
        var latencies = new LatencyHistogram();
        results.forEach(one -> latencies.add(one.latencies()));
        // Where a call takes longer than a slice, the slice has to be longer.
        return completed > 0
                ? new MeasuredSlice(
                        time,
                        completed,
                        latencies,
                        (int) results.stream()
                                .filter(one -> one.completed() == 0)
                                .count(),
                        results.stream().mapToLong(CallerResult::answered).sum(),
                        results.stream().mapToLong(CallerResult::refused).sum(),
                        used)
                : new ClosedLoopLoad(callers, lead, time.multipliedBy(2)).on(side, resources);
    }

    private List<CallerResult> callAll(BenchmarkWorkload side) throws Exception {
        long begin = System.nanoTime() + lead.toNanos();
        long end = begin + time.toNanos();
        Callable<CallerResult> caller = () -> call(side, begin, end);
        try (var beside = side.backgroundWork();
                var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var results = new ArrayList<CallerResult>();
            for (var one : threads.invokeAll(Collections.nCopies(callers, caller))) {
                results.add(one.get());
            }
            return results;
        } catch (ExecutionException e) {
            throw new MeasurementFailedException("A call of the side '" + side.name() + "' failed: " + e.getCause(), e);
        }
    }

    private static CallerResult call(BenchmarkWorkload side, long begin, long end) throws Exception {
        var latencies = new LatencyHistogram();
        long completed = 0;
        long answers = 0;
        long refused = 0;
        long before = System.nanoTime();
        while (before - end < 0) {
            boolean answered = isAnswered(side);
            long after = System.nanoTime();
            answers += answered ? 1 : 0;
            refused += answered ? 0 : 1;
            if (answered && after - begin >= 0) {
                latencies.add(after - before);
                completed += after - end < 0 ? 1 : 0;
            }
            before = after;
        }
        return new CallerResult(completed, latencies, answers, refused);
    }

    /** Makes a call; returns false if it was refused, as may happen to callers that all begin at once. */
    private static boolean isAnswered(BenchmarkWorkload side) throws Exception {
        try {
            side.callOnce();
            return true;
        } catch (StoreOverloadedException | RequestRefusedException refused) {
            return false;
        }
    }
}
