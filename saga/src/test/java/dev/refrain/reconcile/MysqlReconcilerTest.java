package dev.refrain.reconcile;

import dev.refrain.servers.FlowTestDatabase;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

@EnabledIfSystemProperty(named = "tests.stores", matches = "true", disabledReason = "needs MariaDB: -Pstores")
class MysqlReconcilerTest extends ReconcilerContract {

    @Override
    FlowTestDatabase database() {
        return FlowTestDatabase.mariadb();
    }
}
