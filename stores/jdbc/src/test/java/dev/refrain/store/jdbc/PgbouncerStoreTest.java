package dev.refrain.store.jdbc;

import com.zaxxer.hikari.HikariDataSource;
import dev.refrain.servers.PgbouncerServer;
import dev.refrain.servers.PostgresServer;
import dev.refrain.store.contract.StoreHarness;
import java.util.function.UnaryOperator;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** The whole suite through a PgBouncer in transaction mode, which has fewer connections than its clients; what listens connects directly. */
@EnabledIfSystemProperty(named = "tests.long", matches = "true", disabledReason = "takes longer: -Plong")
@EnabledIf(
        value = "dev.refrain.servers.PgbouncerServer#isAvailable",
        disabledReason = "needs PgBouncer: Debian's package pgbouncer")
class PgbouncerStoreTest extends JdbcStoreContract {

    private static final HikariDataSource SOURCE = new HikariDataSource();

    private static PostgresServer server;
    private static PgbouncerServer pooler;
    private static DataSource direct;

    @BeforeAll
    static void openPool() {
        server = PostgresServer.start();
        String url = server.freshDatabase();
        direct = TestDatabases.postgres(url);
        pooler = PgbouncerServer.before(url, 40);
        SOURCE.setJdbcUrl(pooler.url());
        SOURCE.setMaximumPoolSize(80);
        SOURCE.setMinimumIdle(0);
    }

    @AfterAll
    static void closePool() {
        SOURCE.close();
        pooler.close();
        server.close();
    }

    @Override
    protected StoreHarness newHarness() {
        return new PostgresStoreHarness(SOURCE, UnaryOperator.identity()) {
            @Override
            JdbcStoreBuilder builder(DataSource of) {
                return JdbcStore.builder(of).listeningDataSource(direct);
            }
        };
    }
}
