package dev.refrain.saga;

import dev.refrain.servers.FlowTestDatabase;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

@EnabledIfSystemProperty(named = "tests.stores", matches = "true", disabledReason = "needs MariaDB: -Pstores")
class MysqlWaitingSagaTest extends WaitingSagaContract {

    @Override
    FlowTestDatabase database() {
        return FlowTestDatabase.mariadb();
    }
}
