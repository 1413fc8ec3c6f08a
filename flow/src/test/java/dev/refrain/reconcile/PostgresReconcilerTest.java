package dev.refrain.reconcile;

import dev.refrain.flow.FlowTestDatabase;

class PostgresReconcilerTest extends ReconcilerContract {

    @Override
    FlowTestDatabase database() {
        return FlowTestDatabase.postgres();
    }
}
