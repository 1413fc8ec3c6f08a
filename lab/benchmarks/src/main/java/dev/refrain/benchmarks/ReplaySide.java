package dev.refrain.benchmarks;

import dev.refrain.Call;
import dev.refrain.Settings;
import java.sql.SQLException;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/** Retries of calls that are done: answered from what is stored, and the handler must not run. */
final class ReplaySide implements Side {

    private static final int CALLERS = 128;

    private final LeasedSide leased;
    private final Call[] done;

    ReplaySide(String url, Call[] done, Settings settings) throws SQLException {
        this.leased = new LeasedSide("replay", url, settings);
        this.done = done;
    }

    /** Does every call once. */
    void prepare(Meter meter) throws Exception {
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
        leased.replay(Traffic.oneOf(done));
    }

    List<Reading> readings() {
        return leased.readings();
    }

    @Override
    public void close() {
        leased.close();
    }
}
