package dev.refrain.benchmarks;

import dev.refrain.OperationCall;
import dev.refrain.RefrainSettings;
import java.sql.SQLException;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/** Retries completed calls, which are replayed; the handler must not run. */
final class ReplayWorkload implements BenchmarkWorkload {

    private static final int CALLERS = 128;

    private final LeasedWorkload leased;
    private final OperationCall[] done;

    ReplayWorkload(String url, OperationCall[] done, RefrainSettings settings) throws SQLException {
        this.leased = new LeasedWorkload("replay", url, settings);
        this.done = done;
    }

    /** Runs every call once. */
    void prepare(CaseProgressListener meter) throws Exception {
        meter.at(0, 1, "completing " + done.length + " keys");
        var next = new AtomicInteger();
        Callable<Integer> caller = () -> {
            int completed = 0;
            for (int i = next.getAndIncrement(); i < done.length; i = next.getAndIncrement()) {
                leased.complete(done[i]);
                completed++;
            }
            return completed;
        };
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (var each : threads.invokeAll(Collections.nCopies(CALLERS, caller))) {
                each.get();
            }
        }
    }

    @Override
    public String name() {
        return leased.name();
    }

    @Override
    public void callOnce() {
        leased.replay(SampleTraffic.oneOf(done));
    }

    List<SecondaryMeasurement> readings() {
        return leased.readings();
    }

    @Override
    public void close() {
        leased.close();
    }
}
