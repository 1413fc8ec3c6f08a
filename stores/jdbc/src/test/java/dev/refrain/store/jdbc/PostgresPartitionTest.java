package dev.refrain.store.jdbc;

import dev.refrain.servers.PostgresServer;
import javax.sql.DataSource;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

@EnabledIfSystemProperty(named = "tests.stores", matches = "true", disabledReason = "takes longer: -Pstores")
class PostgresPartitionTest extends PartitionTestBase {

    @Override
    String freshDatabase() {
        return PostgresServer.shared().freshDatabase();
    }

    @Override
    DataSource connections(String database) {
        return TestDatabases.postgres(database);
    }
}
