package dev.refrain.demo;

import dev.refrain.flow.Downstream;
import dev.refrain.flow.Flow;
import dev.refrain.flow.Next;
import dev.refrain.http.Protection;
import dev.refrain.outcome.Header;
import java.sql.Connection;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** The same as a flow: each write is kept with the point that it leads to, and the bank is called between two of them under one key. */
final class OrdersFlow {

    private static final Duration BANK_REMEMBERS = Duration.ofHours(24);
    static final Duration BANK_ANSWERS_WITHIN = Duration.ofSeconds(20);
    private static final List<Header> JSON = List.of(new Header("Content-Type", "application/json"));

    private OrdersFlow() {}

    static Flow<Order, Connection> charging(BankClient bank) {
        return Flow.of("orders.create", Order.class)
                .namespace(Protection.NAMESPACE)
                .phase("started", (tx, at) -> {
                    String id = at.recordId().value().toString();
                    Books.enterOrder(tx, id, at.request());
                    return Next.goTo("ordered", id);
                })
                .foreignCall(
                        "ordered",
                        Downstream.<Order, Charge>honoursKeys(BANK_REMEMBERS),
                        BANK_ANSWERS_WITHIN,
                        call -> bank.charge(call.request(), Optional.of(call.key())),
                        (tx, at, charge) -> Next.goTo("charged", new Receipt(at.carriedValue(String.class), charge.id())))
                .phase("charged", (tx, at) -> {
                    var receipt = at.carriedValue(Receipt.class);
                    Books.enterReceipt(tx, receipt);
                    return Next.finish(201, JSON, receipt);
                })
                .build();
    }
}
