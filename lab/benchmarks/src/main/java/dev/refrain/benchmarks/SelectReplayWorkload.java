package dev.refrain.benchmarks;

import dev.refrain.OperationCall;
import java.sql.SQLException;

/** Answers retries by one SELECT each from a table made for nothing else. */
final class SelectReplayWorkload implements BenchmarkWorkload {

    private final NaiveKeyWorkload naive;
    private final OperationCall[] done;

    SelectReplayWorkload(String url, OperationCall[] done) throws SQLException {
        this.naive = NaiveKeyWorkload.autoCommitting(url);
        this.done = done;
    }

    void prepare(CaseProgressListener meter) throws SQLException {
        meter.at(0, 1, "storing " + done.length + " answers");
        naive.store(done);
    }

    @Override
    public String name() {
        return "one SELECT";
    }

    @Override
    public void callOnce() throws SQLException {
        if (!naive.isDone(SampleTraffic.oneOf(done))) {
            throw new MeasurementFailedException("A key that was stored is not there.");
        }
    }

    @Override
    public void close() {
        naive.close();
    }
}
