package dev.refrain.flow;

import dev.refrain.ValueCodec;
import dev.refrain.api.ExecutionEnvironment;
import dev.refrain.store.ledger.ReconciliationStore;
import java.util.Optional;

/** The codec, environment and ledgers that the flows of one runner share. */
record FlowContext<C>(ValueCodec codec, ExecutionEnvironment environment, Optional<ReconciliationStore<C>> ledgers) {

    ReconciliationStore<C> ledgersFor(String flow) {
        return ledgers.orElseThrow(() -> new IllegalStateException("Cannot write the ledger entry of a call of flow "
                + flow + ": the runner has no ledgers. Use FlowRunner.on(…).withLedgers(store.ledger())."));
    }
}
