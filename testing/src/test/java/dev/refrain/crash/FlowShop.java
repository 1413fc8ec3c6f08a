package dev.refrain.crash;

import dev.refrain.Refrain;
import dev.refrain.crash.FlowApplication.Recovery;
import dev.refrain.flow.Downstream;
import dev.refrain.flow.Flow;
import dev.refrain.flow.FlowRequest;
import dev.refrain.flow.Flows;
import dev.refrain.flow.Next;
import dev.refrain.key.Identity;
import dev.refrain.store.State;
import dev.refrain.store.StoredRecord;
import dev.refrain.store.jdbc.JdbcStore;
import java.sql.Connection;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;

/** The same as a flow: an order, a charge, a receipt. */
final class FlowShop extends Shop {

    private static final Duration LEASE = Duration.ofSeconds(1);

    private final FlowRequest<String> asked = FlowRequest.of("shop", key, key);
    private final Recovery recovery;

    FlowShop(DataSource database, Recovery recovery) {
        super(database);
        this.recovery = recovery;
    }

    @Override
    public Application start(Life life) {
        var store = JdbcStore.on(life.wrap(database));
        var refrain = Refrain.using(store);
        var flows = Flows.on(refrain, store.transactions());
        return new FlowApplication<>(refrain, flows, orders(life), asked, LEASE, recovery, store);
    }

    /** In a namespace of its own, so that no completer of another trial finishes it, with another bank. */
    private Flow<String, Connection> orders(Life life) {
        return Flow.of("orders.create", String.class)
                .namespace(key)
                .phase("started", (tx, at) -> {
                    execute(tx, "INSERT INTO orders VALUES (?, NULL)", at.request());
                    return Next.goTo("ordered");
                })
                .foreignCall(
                        "ordered",
                        Downstream.honoursKeys(Duration.ofHours(24)),
                        call -> life.foreignCall("charge", () -> bank.charge(call.key())),
                        (tx, at, charge) -> {
                            execute(tx, "UPDATE orders SET charge = ? WHERE id = ?", charge, key);
                            return Next.goTo("charged");
                        })
                .phase("charged", (tx, at) -> {
                    execute(tx, "INSERT INTO receipts VALUES (?)", key);
                    return Next.finish(201, "done");
                })
                .build();
    }

    /** What was never claimed is nobody's to finish but the client's. */
    @Override
    public void check(Checks checks) throws Exception {
        boolean claimed = found().isPresent();
        checks.require(claimed || recovery == Recovery.COMPLETER, "the key is lost");
        long expected = claimed ? 1 : 0;
        checks.exactly("order", expected, count("orders"));
        checks.exactly("charge", expected, bank.charges());
        checks.exactly("receipt", expected, count("receipts"));
        checks.require(found().filter(record -> record.state() != State.COMPLETED).isEmpty(), "the flow has not ended");
    }

    private Optional<StoredRecord> found() {
        try (var store = JdbcStore.on(database)) {
            return store.find(List.of(new Identity("shop", key, key))).getFirst();
        }
    }
}
