package dev.refrain.benchmarks;

import dev.refrain.Refrain;
import dev.refrain.benchmarks.OrderTables.OrderRequest;
import dev.refrain.flow.Downstream;
import dev.refrain.flow.Flow;
import dev.refrain.flow.FlowRequest;
import dev.refrain.flow.Flows;
import dev.refrain.flow.Next;
import dev.refrain.run.RunResult;
import dev.refrain.store.jdbc.JdbcStore;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.function.UnaryOperator;

/** The orders flow: claim, order, charge, receipt. */
final class FlowSide implements Side {

    private final Shop shop;
    private final JdbcStore store;
    private final Refrain refrain;
    private final Flows<Connection> flows;
    private final Flow<OrderRequest, Connection> orders;

    FlowSide(String url) throws SQLException {
        this(url, key -> key);
    }

    /** @param bank gives the charge for a key, or fails */
    FlowSide(String url, UnaryOperator<String> bank) throws SQLException {
        shop = Shop.on(url);
        shop.execute(OrderTables.CREATE);
        store = JdbcStore.on(shop.pool());
        refrain = Refrain.using(store);
        flows = Flows.on(refrain, store.transactions());
        orders = Flow.of("orders.create", OrderRequest.class)
                .phase("started", (tx, at) -> {
                    String id = at.recordId().value().toString();
                    OrderTables.order(tx, id);
                    return Next.goTo("ordered", id);
                })
                .foreignCall(
                        "ordered",
                        Downstream.<OrderRequest, String>honoursKeys(Duration.ofHours(24)),
                        call -> bank.apply(call.key()),
                        (tx, at, charge) -> {
                            String id = at.carriedValue(String.class);
                            OrderTables.charged(tx, id, charge);
                            return Next.goTo("charged", id);
                        })
                .phase("charged", (tx, at) -> {
                    var body = Traffic.body();
                    OrderTables.receipt(tx, at.carriedValue(String.class), body);
                    return Next.finish(201, body);
                })
                .build();
    }

    @Override
    public String name() {
        return "flow";
    }

    @Override
    public void callOnce() throws Exception {
        var call = Traffic.call();
        if (!(flows.run(orders, FlowRequest.of(call.scope(), call.key(), OrderTables.REQUEST))
                instanceof RunResult.Ran)) {
            throw new BenchException("A new key did not run.");
        }
    }

    Shop shop() {
        return shop;
    }

    Flows<Connection> flows() {
        return flows;
    }

    Flow<OrderRequest, Connection> orders() {
        return orders;
    }

    @Override
    public void close() {
        refrain.close();
        store.close();
        shop.close();
    }
}
