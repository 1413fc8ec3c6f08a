package dev.refrain.trials.crashes;

import dev.refrain.Refrain;
import dev.refrain.crash.Application;
import dev.refrain.crash.FlowApplication;
import dev.refrain.crash.Life;
import dev.refrain.crash.Program;
import dev.refrain.flow.Downstream;
import dev.refrain.flow.Flow;
import dev.refrain.flow.FlowRequest;
import dev.refrain.flow.Flows;
import dev.refrain.flow.Next;
import dev.refrain.flow.Seen;
import dev.refrain.store.jdbc.JdbcStore;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;

/** The orders flow of the seeds: an order, a charge, a receipt. */
final class OrdersProgram implements Program {

    private static final Duration LEASE = Duration.ofSeconds(2);
    private static final Duration CALL_WITHIN = Duration.ofSeconds(10);
    private static final int DECLINED = 402;

    @Override
    public Application start(Life life, List<String> arguments) throws SQLException {
        var order = Order.of(arguments);
        var store = JdbcStore.on(life.wrap(order.database().source()));
        var refrain = Refrain.using(store);
        var flows = Flows.on(refrain, store.transactions()).withLedgers(store.ledger());
        var asked = FlowRequest.of(Order.SCOPE, order.key(), order.key());
        return new FlowApplication<>(refrain, flows, flow(life, order), asked, LEASE, order.recovery(), store);
    }

    /** In a namespace and a ledger of its own: no completer of another trial finishes it, and no reconciler judges it. */
    private static Flow<String, Connection> flow(Life life, Order order) {
        var provider = new ProviderLine(order.providerPort());
        Downstream<String, String> downstream =
                order.blind() ? Downstream.notRetryable() : Downstream.honoursKeys(Duration.ofHours(24));
        return Flow.of("orders.create", String.class)
                .namespace(order.key())
                .phase("started", (tx, at) -> {
                    execute(tx, "INSERT INTO orders VALUES (?, NULL)", at.request());
                    return Next.goTo("ordered");
                })
                .foreignCall(
                        "ordered",
                        downstream,
                        Seen.<String, String>inLedger(order.key(), at -> Order.PRICE)
                                .exceptWhen(PaymentProvider.DECLINED::equals),
                        CALL_WITHIN,
                        call -> provider.charge(life, order, call.key()),
                        (tx, at, charge) -> {
                            if (charge.equals(PaymentProvider.DECLINED)) {
                                return Next.fail(DECLINED, charge);
                            }
                            execute(tx, "UPDATE orders SET charge = ? WHERE id = ?", charge, at.request());
                            return Next.goTo("charged", charge);
                        })
                .phase("charged", (tx, at) -> {
                    execute(tx, "INSERT INTO receipts VALUES (?, ?)", at.request(), at.carriedValue(String.class));
                    return Next.finish(201, at.carriedValue(String.class));
                })
                .build();
    }

    static void execute(Connection tx, String sql, String... values) throws SQLException {
        try (var statement = tx.prepareStatement(sql)) {
            for (int i = 0; i < values.length; i++) {
                statement.setString(i + 1, values[i]);
            }
            statement.executeUpdate();
        }
    }
}
