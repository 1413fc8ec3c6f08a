package dev.refrain.benchmarks;

import dev.refrain.store.ClaimResponse;
import dev.refrain.store.OutcomeFormat;
import dev.refrain.store.RecordWrite;
import dev.refrain.store.RecordWriteResponse;
import dev.refrain.store.jdbc.JdbcStore;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Sends the same claims and completions without a batcher: each is a commit of its own. */
final class SqliteUnbatchedWorkload implements BenchmarkWorkload {

    private final JdbcStore store;

    SqliteUnbatchedWorkload(Path file) {
        store = JdbcStore.sqlite(file);
    }

    @Override
    public String name() {
        return "one commit each";
    }

    @Override
    public void callOnce() {
        var outcome = OutcomeFormat.encode(SampleTraffic.answer());
        if (store.claim(List.of(SampleTraffic.claim())).getFirst() instanceof ClaimResponse.Acquired acquired) {
            var complete = new RecordWrite.Complete(acquired.record().claim(), Optional.of(outcome), Optional.empty());
            if (store.write(List.of(complete)).getFirst() instanceof RecordWriteResponse.Written) {
                return;
            }
        }
        throw new MeasurementFailedException("A key that nobody else uses could not be claimed and completed.");
    }

    @Override
    public void close() {
        store.close();
    }
}
