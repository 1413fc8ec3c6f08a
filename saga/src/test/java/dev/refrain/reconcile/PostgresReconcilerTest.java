package dev.refrain.reconcile;

import dev.refrain.servers.FlowTestDatabase;

class PostgresReconcilerTest extends ReconcilerContract {

    @Override
    FlowTestDatabase database() {
        return FlowTestDatabase.postgres();
    }
}
