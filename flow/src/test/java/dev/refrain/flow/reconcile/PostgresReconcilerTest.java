package dev.refrain.flow.reconcile;

import dev.refrain.flow.Database;

class PostgresReconcilerTest extends ReconcilerContract {

    @Override
    Database database() {
        return Database.postgres();
    }
}
