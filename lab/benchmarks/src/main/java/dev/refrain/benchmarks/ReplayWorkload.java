package dev.refrain.benchmarks;

import dev.refrain.OperationCall;
import dev.refrain.RefrainSettings;
import dev.refrain.store.StoreOverloadedException;
import java.sql.SQLException;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/** Retries completed calls, which are replayed; the handler must not run. */
final class ReplayWorkload implements BenchmarkWorkload {

    private static final int CALLERS = 128;
    private static final long PAUSE_NANOS = 10_000_000;

    /** Call of an operation. */
    @FunctionalInterface
    private interface Calling {
        void call(OperationCall call) throws SQLException;
    }

    private final BenchmarkWorkload side;
    private final Calling complete;
    private final Calling replay;
    private final Supplier<List<SecondaryMeasurement>> readings;
    private final OperationCall[] done;

    private ReplayWorkload(
            BenchmarkWorkload side,
            Calling complete,
            Calling replay,
            Supplier<List<SecondaryMeasurement>> readings,
            OperationCall[] done) {
        this.side = side;
        this.complete = complete;
        this.replay = replay;
        this.readings = readings;
        this.done = done;
    }

    static ReplayWorkload leased(String url, OperationCall[] done, RefrainSettings settings) throws SQLException {
        var leased = new LeasedWorkload("replay", url, settings);
        return new ReplayWorkload(leased, leased::complete, leased::replay, leased::readings, done);
    }

    static ReplayWorkload transactional(String url, OperationCall[] done, RefrainSettings settings)
            throws SQLException {
        var transactional = new TransactionalWorkload(url, settings);
        return new ReplayWorkload(transactional, transactional::complete, transactional::replay, List::of, done);
    }

    /** Runs every call once. */
    void prepare(CaseProgressListener meter) throws Exception {
        meter.at(0, 1, "completing " + done.length + " keys");
        var next = new AtomicInteger();
        Callable<Integer> caller = () -> {
            int completed = 0;
            for (int i = next.getAndIncrement(); i < done.length; i = next.getAndIncrement()) {
                completePatiently(done[i]);
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

    /** Retries a call that is refused: on a busy machine many begin at once. */
    private void completePatiently(OperationCall call) throws SQLException {
        while (true) {
            try {
                complete.call(call);
                return;
            } catch (StoreOverloadedException busy) {
                LockSupport.parkNanos(PAUSE_NANOS);
            }
        }
    }

    @Override
    public String name() {
        return "replay";
    }

    @Override
    public void callOnce() throws SQLException {
        replay.call(SampleTraffic.oneOf(done));
    }

    List<SecondaryMeasurement> readings() {
        return readings.get();
    }

    @Override
    public void close() throws Exception {
        side.close();
    }
}
