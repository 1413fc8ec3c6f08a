package dev.refrain.trials.crashes;

import dev.refrain.Refrain;
import dev.refrain.api.ClientKey;
import dev.refrain.api.Downstream;
import dev.refrain.crash.CrashInjector;
import dev.refrain.crash.CrashableApplication;
import dev.refrain.crash.CrashableFlow;
import dev.refrain.crash.ForkedApplicationFactory;
import dev.refrain.flow.Flow;
import dev.refrain.flow.FlowRequest;
import dev.refrain.flow.FlowRunner;
import dev.refrain.flow.ForeignCall;
import dev.refrain.flow.LedgerEntryMapping;
import dev.refrain.flow.PhaseResult;
import dev.refrain.store.jdbc.JdbcStore;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;

/** Program of the orders flow: an order, a charge, a receipt. */
final class OrdersProgram implements ForkedApplicationFactory {

    private static final Duration LEASE = Duration.ofSeconds(2);
    private static final Duration CALL_WITHIN = Duration.ofSeconds(10);
    private static final int DECLINED = 402;

    @Override
    public CrashableApplication start(CrashInjector life, List<String> arguments) throws SQLException {
        var order = OrderTrial.of(arguments);
        var store = JdbcStore.on(life.wrap(order.database().source()));
        var refrain = Refrain.using(store);
        var flows = FlowRunner.on(refrain, store.transactions()).withLedgers(store.ledger());
        var asked = FlowRequest.of(ClientKey.scope(OrderTrial.SCOPE).key(order.key()), order.key());
        return new CrashableFlow<>(refrain, flows, flow(life, order), asked, LEASE, order.recovery(), store);
    }

    /** Returns the flow in a namespace and a ledger of its own, so that workers of other trials leave it alone. */
    private static Flow<String, String, Connection> flow(CrashInjector life, OrderTrial order) {
        var provider = new ProviderConnection(order.providerPort());
        Downstream<ForeignCall<String>, String> downstream =
                order.blind() ? Downstream.notRetryable() : Downstream.honoursKeys(Duration.ofHours(24));
        return Flow.of("orders.create", String.class, String.class)
                .namespace(order.key())
                .phase("started", (tx, at) -> {
                    execute(tx, "INSERT INTO orders VALUES (?, NULL)", at.request());
                    return PhaseResult.goTo("ordered");
                })
                .foreignCall(
                        "ordered",
                        downstream,
                        LedgerEntryMapping.<String, String>inLedger(order.key(), at -> OrderTrial.PRICE)
                                .exceptWhen(PaymentProvider.DECLINED::equals),
                        CALL_WITHIN,
                        call -> provider.charge(life, order, call.key()),
                        (tx, at, charge) -> {
                            if (charge.equals(PaymentProvider.DECLINED)) {
                                return PhaseResult.fail(DECLINED, charge);
                            }
                            execute(tx, "UPDATE orders SET charge = ? WHERE id = ?", charge, at.request());
                            return PhaseResult.goTo("charged", charge);
                        })
                .phase("charged", (tx, at) -> {
                    execute(tx, "INSERT INTO receipts VALUES (?, ?)", at.request(), at.carriedValue(String.class));
                    return PhaseResult.finish(201, at.carriedValue(String.class));
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
