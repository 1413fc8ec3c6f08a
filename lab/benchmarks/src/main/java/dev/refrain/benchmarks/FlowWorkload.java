package dev.refrain.benchmarks;

import dev.refrain.Refrain;
import dev.refrain.api.ClientKey;
import dev.refrain.api.Downstream;
import dev.refrain.api.OperationResult;
import dev.refrain.benchmarks.OrderTables.OrderRequest;
import dev.refrain.flow.Flow;
import dev.refrain.flow.FlowRequest;
import dev.refrain.flow.FlowRunner;
import dev.refrain.flow.ForeignCall;
import dev.refrain.flow.PhaseResult;
import dev.refrain.store.jdbc.JdbcStore;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.function.UnaryOperator;

/** Runs the orders flow: claim, order, charge, receipt. */
final class FlowWorkload implements BenchmarkWorkload {

    private final BenchmarkPaymentApp shop;
    private final JdbcStore store;
    private final Refrain refrain;
    private final FlowRunner<Connection> flows;
    private final Flow<OrderRequest, byte[], Connection> orders;

    FlowWorkload(String url) throws SQLException {
        this(url, key -> key);
    }

    /** @param bank gives the charge for a key, or fails */
    FlowWorkload(String url, UnaryOperator<String> bank) throws SQLException {
        shop = BenchmarkPaymentApp.on(url);
        shop.execute(OrderTables.CREATE);
        store = JdbcStore.on(shop.pool());
        refrain = Refrain.using(store);
        flows = FlowRunner.on(refrain, store.transactions());
        orders = Flow.of("orders.create", OrderRequest.class, byte[].class)
                .phase("started", (tx, at) -> {
                    String id = at.recordId().value().toString();
                    OrderTables.order(tx, id);
                    return PhaseResult.goTo("ordered", id);
                })
                .foreignCall(
                        "ordered",
                        Downstream.<ForeignCall<OrderRequest>, String>honoursKeys(Duration.ofHours(24)),
                        call -> bank.apply(call.key()),
                        (tx, at, charge) -> {
                            String id = at.carriedValue(String.class);
                            OrderTables.charged(tx, id, charge);
                            return PhaseResult.goTo("charged", id);
                        })
                .phase("charged", (tx, at) -> {
                    var body = SampleTraffic.body();
                    OrderTables.receipt(tx, at.carriedValue(String.class), body);
                    return PhaseResult.finish(201, body);
                })
                .build();
    }

    @Override
    public String name() {
        return "flow";
    }

    @Override
    public void callOnce() throws Exception {
        var call = SampleTraffic.call();
        if (!(flows.runForResult(
                        orders, FlowRequest.of(ClientKey.scope(call.scope()).key(call.key()), OrderTables.REQUEST))
                instanceof OperationResult.Ran)) {
            throw new MeasurementFailedException("A new key did not run.");
        }
    }

    BenchmarkPaymentApp shop() {
        return shop;
    }

    FlowRunner<Connection> flows() {
        return flows;
    }

    Flow<OrderRequest, byte[], Connection> orders() {
        return orders;
    }

    @Override
    public void close() {
        refrain.close();
        store.close();
        shop.close();
    }
}
