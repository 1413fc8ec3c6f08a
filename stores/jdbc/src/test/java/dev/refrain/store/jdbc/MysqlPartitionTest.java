package dev.refrain.store.jdbc;

import dev.refrain.servers.MariadbServer;
import javax.sql.DataSource;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

@EnabledIfSystemProperty(named = "tests.stores", matches = "true", disabledReason = "needs MariaDB: -Pstores")
class MysqlPartitionTest extends PartitionTestBase {

    @Override
    String freshDatabase() {
        return MariadbServer.shared().freshDatabase();
    }

    @Override
    DataSource connections(String database) {
        return MariadbServer.dataSource(database);
    }
}
