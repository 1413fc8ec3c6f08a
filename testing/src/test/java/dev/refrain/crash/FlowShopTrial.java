package dev.refrain.crash;

import dev.refrain.Refrain;
import dev.refrain.api.ClientKey;
import dev.refrain.api.Downstream;
import dev.refrain.api.ScopedKey;
import dev.refrain.crash.CrashableFlow.Recovery;
import dev.refrain.flow.Flow;
import dev.refrain.flow.FlowRequest;
import dev.refrain.flow.FlowRunner;
import dev.refrain.flow.PhaseResult;
import dev.refrain.store.RecordState;
import dev.refrain.store.StoredRecord;
import dev.refrain.store.jdbc.JdbcStore;
import java.sql.Connection;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;

/** The same as a flow: an order, a charge, a receipt. */
final class FlowShopTrial extends ShopTrial {

    private static final Duration LEASE = Duration.ofSeconds(1);

    private final FlowRequest<String> asked =
            FlowRequest.of(ClientKey.scope("shop").key(key), key);
    private final Recovery recovery;

    FlowShopTrial(DataSource database, Recovery recovery) {
        super(database);
        this.recovery = recovery;
    }

    @Override
    public CrashableApplication start(CrashInjector life) {
        var store = JdbcStore.on(life.wrap(database));
        var refrain = Refrain.using(store);
        var flows = FlowRunner.on(refrain, store.transactions());
        return new CrashableFlow<>(refrain, flows, orders(life), asked, LEASE, recovery, store);
    }

    /** In a namespace of its own, so that no completer of another trial finishes it, with another bank. */
    private Flow<String, String, Connection> orders(CrashInjector life) {
        return Flow.of("orders.create", String.class, String.class)
                .namespace(key)
                .phase("started", (tx, at) -> {
                    execute(tx, "INSERT INTO orders VALUES (?, NULL)", at.request());
                    return PhaseResult.goTo("ordered");
                })
                .foreignCall(
                        "ordered",
                        Downstream.honoursKeys(Duration.ofHours(24)),
                        call -> life.foreignCall("charge", () -> bank.charge(call.key())),
                        (tx, at, charge) -> {
                            execute(tx, "UPDATE orders SET charge = ? WHERE id = ?", charge, key);
                            return PhaseResult.goTo("charged");
                        })
                .phase("charged", (tx, at) -> {
                    execute(tx, "INSERT INTO receipts VALUES (?)", key);
                    return PhaseResult.finish(201, "done");
                })
                .build();
    }

    /** What was never claimed is nobody's to finish but the client's. */
    @Override
    public void check(EffectChecks checks) throws Exception {
        boolean claimed = found().isPresent();
        checks.require(claimed || recovery == Recovery.COMPLETER, "the key is lost");
        long expected = claimed ? 1 : 0;
        checks.exactly("order", expected, count("orders"));
        checks.exactly("charge", expected, bank.charges());
        checks.exactly("receipt", expected, count("receipts"));
        checks.require(
                found().filter(record -> record.state() != RecordState.COMPLETED)
                        .isEmpty(),
                "the flow has not ended");
    }

    private Optional<StoredRecord> found() {
        try (var store = JdbcStore.on(database)) {
            return store.find(List.of(new ScopedKey("shop", key, key))).getFirst();
        }
    }
}
