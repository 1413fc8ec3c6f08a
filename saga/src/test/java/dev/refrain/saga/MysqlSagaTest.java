package dev.refrain.saga;

import dev.refrain.servers.FlowTestDatabase;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

@EnabledIfSystemProperty(named = "tests.stores", matches = "true", disabledReason = "needs MariaDB: -Pstores")
class MysqlSagaTest extends SagaContract {

    @Override
    FlowTestDatabase database() {
        return FlowTestDatabase.mariadb();
    }
}
