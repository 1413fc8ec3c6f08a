package dev.refrain.outbox;

import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

@EnabledIfSystemProperty(named = "tests.stores", matches = "true", disabledReason = "needs MariaDB: -Pstores")
class MysqlJobQueueTest extends JobQueueContract {

    @Override
    OutboxTestDatabase database() {
        return OutboxTestDatabase.mariadb();
    }
}
