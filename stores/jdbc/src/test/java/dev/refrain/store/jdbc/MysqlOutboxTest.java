package dev.refrain.store.jdbc;

import dev.refrain.servers.MariadbServer;
import javax.sql.DataSource;
import org.junit.jupiter.api.condition.EnabledIf;

@EnabledIf(value = "dev.refrain.servers.MariadbServer#isAvailable", disabledReason = "no MariaDB for this platform")
class MysqlOutboxTest extends JdbcOutboxTestBase {

    @Override
    DataSource database() {
        return MariadbServer.dataSource(MariadbServer.shared().freshDatabase());
    }
}
