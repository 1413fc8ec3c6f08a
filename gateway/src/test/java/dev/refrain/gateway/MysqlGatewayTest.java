package dev.refrain.gateway;

import dev.refrain.servers.KillableServer;
import dev.refrain.servers.MariadbServer;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

@EnabledIfSystemProperty(named = "tests.stores", matches = "true", disabledReason = "needs MariaDB: -Pstores")
class MysqlGatewayTest extends SharedDatabaseGatewayContract {

    @Override
    KillableServer sharedServer() {
        return MariadbServer.shared();
    }

    @Override
    KillableServer ownServer() {
        return MariadbServer.start();
    }
}
