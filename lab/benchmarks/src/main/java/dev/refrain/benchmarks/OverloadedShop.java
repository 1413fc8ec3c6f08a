package dev.refrain.benchmarks;

import dev.refrain.OperationCall;
import dev.refrain.Refrain;
import dev.refrain.RefrainSettings;
import dev.refrain.api.LeaseExpiryPolicy;
import dev.refrain.store.jdbc.JdbcStore;
import java.sql.SQLException;
import java.time.Duration;

/** Application whose calls wait a second for the store at most: leased without work of its own, or a payment in the transaction of its key. */
final class OverloadedShop implements BenchmarkWorkload {

    static final Duration PATIENCE = Duration.ofSeconds(1);

    /** One protected call. */
    @FunctionalInterface
    private interface ProtectedCall {
        void run(OperationCall call) throws Exception;
    }

    private final String name;
    private final BenchmarkPaymentApp shop;
    private final JdbcStore store;
    private final Refrain refrain;
    private final ProtectedCall operation;

    private OverloadedShop(String name, String url, boolean leased) throws SQLException {
        this.name = name;
        shop = BenchmarkPaymentApp.on(url);
        store = JdbcStore.on(shop.pool());
        refrain = Refrain.using(store, RefrainSettings.defaults());
        operation = leased ? leasedCall() : transactionalCall();
    }

    static OverloadedShop leased(String url) throws SQLException {
        return new OverloadedShop("leased", url, true);
    }

    static OverloadedShop transactional(String url) throws SQLException {
        return new OverloadedShop("transactional", url, false);
    }

    private ProtectedCall leasedCall() {
        var leased = refrain.operation(SampleTraffic.OPERATION)
                .storeTimeout(PATIENCE)
                .leased(LeaseExpiryPolicy.RESUME);
        return call -> leased.run(call, claim -> SampleTraffic.answer());
    }

    private ProtectedCall transactionalCall() {
        var transactional = refrain.operation(SampleTraffic.OPERATION)
                .storeTimeout(PATIENCE)
                .transactional(store.transactions());
        return call -> transactional.run(call, (claim, connection) -> {
            shop.pay(connection);
            return SampleTraffic.answer();
        });
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public void callOnce() throws Exception {
        operation.run(SampleTraffic.call());
    }

    /** Returns the same with calls of this tenant alone. */
    BenchmarkWorkload of(String tenant) {
        return new BenchmarkWorkload() {
            @Override
            public String name() {
                return tenant;
            }

            @Override
            public void callOnce() throws Exception {
                operation.run(SampleTraffic.callOf(tenant));
            }
        };
    }

    @Override
    public void close() {
        refrain.close();
        store.close();
        shop.close();
    }
}
