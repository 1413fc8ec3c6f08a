package dev.refrain.store.jdbc;

import com.zaxxer.hikari.HikariDataSource;
import dev.refrain.servers.MariadbServer;
import dev.refrain.store.contract.StoreHarness;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.condition.EnabledIf;

@EnabledIf(value = "dev.refrain.servers.MariadbServer#isAvailable", disabledReason = "no MariaDB for this platform")
class MysqlStoreTest extends MysqlStoreContract {

    private static final HikariDataSource SOURCE = new HikariDataSource();

    @BeforeAll
    static void openPool() {
        SOURCE.setJdbcUrl(MariadbServer.shared().freshDatabase());
        SOURCE.setMaximumPoolSize(80);
        SOURCE.setMinimumIdle(0);
    }

    @AfterAll
    static void closePool() {
        SOURCE.close();
    }

    @Override
    protected StoreHarness newHarness() {
        return new MysqlStoreHarness(SOURCE, UnaryOperator.identity());
    }
}
