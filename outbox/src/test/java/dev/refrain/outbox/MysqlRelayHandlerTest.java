package dev.refrain.outbox;

import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

@EnabledIfSystemProperty(named = "tests.stores", matches = "true", disabledReason = "needs MariaDB: -Pstores")
class MysqlRelayHandlerTest extends RelayHandlerContract {

    @Override
    OutboxTestDatabase database() {
        return OutboxTestDatabase.mariadb();
    }
}
