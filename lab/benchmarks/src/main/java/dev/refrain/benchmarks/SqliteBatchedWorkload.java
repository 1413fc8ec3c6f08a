package dev.refrain.benchmarks;

import dev.refrain.LeasedOperation;
import dev.refrain.Refrain;
import dev.refrain.RefrainSettings;
import dev.refrain.api.LeaseExpiryPolicy;
import dev.refrain.api.Outcome;
import dev.refrain.store.jdbc.JdbcStore;
import java.nio.file.Path;
import java.util.List;

/** Makes leased calls whose work costs nothing, so that the cost of the store remains. */
final class SqliteBatchedWorkload implements BenchmarkWorkload {

    private final JdbcStore store;
    private final BatchSizeCounter batches = new BatchSizeCounter();
    private final Refrain refrain;
    private final LeasedOperation<Outcome.Answer> operation;

    SqliteBatchedWorkload(Path file) {
        store = JdbcStore.sqlite(file);
        refrain = Refrain.using(store, RefrainSettings.defaults().with(batches));
        operation = refrain.operation(SampleTraffic.OPERATION).leased(LeaseExpiryPolicy.RESUME);
    }

    @Override
    public String name() {
        return "batched";
    }

    @Override
    public void callOnce() {
        operation.run(SampleTraffic.call(), claim -> SampleTraffic.answer());
    }

    List<SecondaryMeasurement> readings() {
        return List.of(batches.rowsPer("claims"), batches.rowsPer("writes"));
    }

    @Override
    public void warm() {
        batches.forget();
    }

    @Override
    public void close() {
        refrain.close();
        store.close();
    }
}
