package dev.refrain.demo;

import dev.refrain.api.AnswerHeader;
import dev.refrain.api.Downstream;
import dev.refrain.flow.Flow;
import dev.refrain.flow.ForeignCall;
import dev.refrain.flow.PhaseResult;
import dev.refrain.http.edge.RouteProtection;
import java.sql.Connection;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Checkout as a flow: each local write commits with its recovery point, and the bank is called between two of them
 * under a derived key.
 */
final class OrdersFlow {

    private static final Duration BANK_KEY_RETENTION = Duration.ofHours(24);
    static final Duration BANK_TIMEOUT = Duration.ofSeconds(20);
    private static final List<AnswerHeader> JSON = List.of(new AnswerHeader("Content-Type", "application/json"));

    private OrdersFlow() {}

    static Flow<ShopOrder, ShopReceipt, Connection> charging(DemoBankClient bank) {
        return Flow.of("orders.create", ShopOrder.class, ShopReceipt.class)
                .namespace(RouteProtection.NAMESPACE)
                .phase("started", (tx, at) -> {
                    String id = at.recordId().value().toString();
                    ShopDatabase.insertOrder(tx, id, at.request());
                    return PhaseResult.goTo("ordered", id);
                })
                .foreignCall(
                        "ordered",
                        Downstream.<ForeignCall<ShopOrder>, BankCharge>honoursKeys(BANK_KEY_RETENTION),
                        BANK_TIMEOUT,
                        call -> bank.charge(call.request(), Optional.of(call.key())),
                        (tx, at, charge) -> PhaseResult.goTo(
                                "charged", new ShopReceipt(at.carriedValue(String.class), charge.id())))
                .phase("charged", (tx, at) -> {
                    var receipt = at.carriedValue(ShopReceipt.class);
                    ShopDatabase.insertReceipt(tx, receipt);
                    return PhaseResult.finish(201, JSON, receipt);
                })
                .build();
    }
}
