package dev.refrain.store.jdbc;

import com.zaxxer.hikari.HikariDataSource;
import dev.refrain.servers.PostgresServer;
import dev.refrain.servers.RedisServer;
import dev.refrain.store.contract.StoreHarness;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** A replay cache changes nothing of what PostgreSQL promises. */
@EnabledIfSystemProperty(
        named = "tests.long",
        matches = "true",
        disabledReason = "the suites of SQLite with a replay cache run by -Pstores: -Plong")
class ReplayCachedPostgresStoreTest extends JdbcStoreContract {

    private static final HikariDataSource SOURCE = new HikariDataSource();

    private static RedisServer server;

    @BeforeAll
    static void openPool() {
        SOURCE.setJdbcUrl(PostgresServer.shared().freshDatabase());
        SOURCE.setMaximumPoolSize(80);
        SOURCE.setMinimumIdle(0);
        server = RedisServer.start();
    }

    @AfterAll
    static void closePool() {
        SOURCE.close();
        server.close();
    }

    @Override
    protected StoreHarness newHarness() {
        return new ReplayCachedHarness(server, around -> new PostgresStoreHarness(SOURCE, around));
    }
}
