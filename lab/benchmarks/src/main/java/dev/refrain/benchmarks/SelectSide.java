package dev.refrain.benchmarks;

import dev.refrain.Call;
import java.sql.SQLException;

/** Retries answered by one SELECT each from a table made for nothing else. */
final class SelectSide implements Side {

    private final NaiveSide naive;
    private final Call[] done;

    SelectSide(String url, Call[] done) throws SQLException {
        this.naive = NaiveSide.autoCommitting(url);
        this.done = done;
    }

    void prepare(Meter meter) throws SQLException {
        meter.at(0, 1, "storing " + done.length + " answers");
        naive.store(done);
    }

    @Override
    public String name() {
        return "one SELECT";
    }

    @Override
    public void callOnce() throws SQLException {
        if (!naive.isDone(Traffic.oneOf(done))) {
            throw new BenchException("A key that was stored is not there.");
        }
    }

    @Override
    public void close() {
        naive.close();
    }
}
