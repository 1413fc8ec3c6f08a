package dev.refrain.flow;

import dev.refrain.servers.FlowTestDatabase;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

@EnabledIfSystemProperty(named = "tests.stores", matches = "true", disabledReason = "needs MariaDB: -Pstores")
class MysqlCompleterTest extends CompleterContract {

    @Override
    FlowTestDatabase database() {
        return FlowTestDatabase.mariadb();
    }
}
