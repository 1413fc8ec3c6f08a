package dev.refrain.benchmarks;

import dev.refrain.LeasedOperation;
import dev.refrain.OperationCall;
import dev.refrain.Refrain;
import dev.refrain.RefrainSettings;
import dev.refrain.api.Claim;
import dev.refrain.api.LeaseExpiryPolicy;
import dev.refrain.api.Outcome;
import dev.refrain.store.Store;
import dev.refrain.store.jdbc.JdbcStore;
import java.sql.SQLException;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Runs the handler leased: claim, its transaction, completion. The store's batchers share the handler's pool. */
final class LeasedWorkload implements BenchmarkWorkload {

    private final String name;
    private final BenchmarkPaymentApp shop;
    private final JdbcStore store;
    private final BatchSizeCounter batches = new BatchSizeCounter();
    private final Refrain refrain;
    private final LeasedOperation<Outcome.Answer> operation;
    private final Supplier<OperationCall> traffic;
    private final Consumer<Claim> outgoing;
    private final int answerBytes;

    LeasedWorkload(String name, String url, RefrainSettings settings) throws SQLException {
        this(
                name,
                url,
                settings,
                LeaseExpiryPolicy.RESUME,
                SampleTraffic::call,
                claim -> {},
                SampleTraffic.OUTCOME_BYTES);
    }

    /** Runs the handler with answers of this size, and records that explain themselves. */
    static LeasedWorkload answering(String url, int answerBytes) throws SQLException {
        return new LeasedWorkload(
                "leased",
                url,
                RefrainSettings.defaults(),
                LeaseExpiryPolicy.RESUME,
                SampleTraffic::explainedCall,
                claim -> claim.derivedKey("charge"),
                answerBytes);
    }

    private LeasedWorkload(
            String name,
            String url,
            RefrainSettings settings,
            LeaseExpiryPolicy policy,
            Supplier<OperationCall> traffic,
            Consumer<Claim> outgoing,
            int answerBytes)
            throws SQLException {
        this.answerBytes = answerBytes;
        this.name = name;
        this.traffic = traffic;
        this.outgoing = outgoing;
        shop = BenchmarkPaymentApp.on(url);
        store = JdbcStore.on(shop.pool());
        refrain = Refrain.using(store, settings.with(batches));
        operation = refrain.operation(SampleTraffic.OPERATION).leased(policy);
    }

    LeasedWorkload(String url) throws SQLException {
        this("leased", url, RefrainSettings.defaults());
    }

    /** Runs the handler with the policy HOLD, as an edge would call it that knows route, caller and trace. */
    static LeasedWorkload holding(String url) throws SQLException {
        return new LeasedWorkload(
                "leased-hold",
                url,
                RefrainSettings.defaults(),
                LeaseExpiryPolicy.HOLD,
                SampleTraffic::explainedCall,
                claim -> claim.derivedKey("charge"),
                SampleTraffic.OUTCOME_BYTES);
    }

    /** Runs the handler likewise, and keeps each request until it is completed. */
    static LeasedWorkload holdingRequests(String url) throws SQLException {
        return new LeasedWorkload(
                "leased-hold-request",
                url,
                RefrainSettings.defaults(),
                LeaseExpiryPolicy.HOLD,
                SampleTraffic::keptCall,
                claim -> claim.derivedKey("charge"),
                SampleTraffic.OUTCOME_BYTES);
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public void callOnce() throws SQLException {
        operation.run(traffic.get(), claim -> {
            outgoing.accept(claim);
            shop.pay();
            return SampleTraffic.answer(answerBytes);
        });
    }

    /** Completes this key without a payment. */
    void complete(OperationCall call) {
        operation.run(call, claim -> SampleTraffic.answer());
    }

    /** Retries a completed key. */
    void replay(OperationCall call) {
        operation.run(call, claim -> {
            throw new MeasurementFailedException("A replay ran the handler.");
        });
    }

    Store store() {
        return store;
    }

    BenchmarkPaymentApp shop() {
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
