package dev.refrain.console;

import dev.refrain.servers.MariadbServer;
import javax.sql.DataSource;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

@EnabledIfSystemProperty(named = "tests.stores", matches = "true", disabledReason = "needs MariaDB: -Pstores")
class MysqlOperatorConsoleTest extends OperatorConsoleTest {

    @Override
    DataSource database() {
        return MariadbServer.dataSource(MariadbServer.shared().freshDatabase());
    }
}
