package dev.refrain.benchmarks;

import dev.refrain.LeasedOperation;
import dev.refrain.OperationCall;
import dev.refrain.Refrain;
import dev.refrain.RefrainSettings;
import dev.refrain.api.LeaseExpiryPolicy;
import dev.refrain.api.Outcome;
import dev.refrain.store.Store;
import dev.refrain.store.jdbc.JdbcStore;
import java.sql.SQLException;
import java.util.List;

/** Runs the handler leased: claim, its transaction, completion. The store's batchers share the handler's pool. */
final class LeasedWorkload implements BenchmarkWorkload {

    private final String name;
    private final BenchmarkShop shop;
    private final JdbcStore store;
    private final BatchSizeCounter batches = new BatchSizeCounter();
    private final Refrain refrain;
    private final LeasedOperation<Outcome.Answer> operation;

    LeasedWorkload(String name, String url, RefrainSettings settings) throws SQLException {
        this.name = name;
        shop = BenchmarkShop.on(url);
        store = JdbcStore.on(shop.pool());
        refrain = Refrain.using(store, settings.with(batches));
        operation = refrain.operation(SampleTraffic.OPERATION).leased(LeaseExpiryPolicy.RESUME);
    }

    LeasedWorkload(String url) throws SQLException {
        this("leased", url, RefrainSettings.defaults());
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public void callOnce() throws SQLException {
        operation.run(SampleTraffic.call(), claim -> {
            shop.pay();
            return SampleTraffic.answer();
        });
    }

    /** Completes this key without a payment. */
    void complete(OperationCall call) {
        operation.run(call, claim -> SampleTraffic.answer());
    }

    /** Retries a completed key. */
    void replay(OperationCall call) {
        operation.run(call, claim -> {
            throw new BenchException("A replay ran the handler.");
        });
    }

    Store store() {
        return store;
    }

    BenchmarkShop shop() {
        return shop;
    }

    /** Returns the average batch sizes, which decide the cost. */
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
        shop.close();
    }
}
