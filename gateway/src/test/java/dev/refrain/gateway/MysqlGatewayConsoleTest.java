package dev.refrain.gateway;

import dev.refrain.servers.MariadbServer;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

@EnabledIfSystemProperty(named = "tests.stores", matches = "true", disabledReason = "needs MariaDB: -Pstores")
class MysqlGatewayConsoleTest extends GatewayConsoleTest {

    @Override
    DatabaseAddress database() {
        return new DatabaseAddress(MariadbServer.shared().freshDatabase());
    }
}
