package dev.refrain.flow;

import dev.refrain.ValueCodec;
import dev.refrain.api.ExecutionEnvironment;
import dev.refrain.store.ledger.LedgerStore;
import java.util.Optional;

/** What flows are run with. */
record FlowContext<C>(ValueCodec codec, ExecutionEnvironment environment, Optional<LedgerStore<C>> ledgers) {

    LedgerStore<C> ledgersFor(String flow) {
        return ledgers.orElseThrow(() -> new IllegalStateException("Calls of the flow " + flow
                + " are to be seen in a ledger: give Flows where that is kept, by seeing(store.ledgers())."));
    }
}
