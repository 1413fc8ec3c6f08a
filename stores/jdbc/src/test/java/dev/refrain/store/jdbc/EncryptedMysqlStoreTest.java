package dev.refrain.store.jdbc;

import com.zaxxer.hikari.HikariDataSource;
import dev.refrain.servers.MariadbServer;
import dev.refrain.store.contract.StoreHarness;
import dev.refrain.store.encryption.EncryptingStore;
import dev.refrain.store.encryption.EncryptionKeyRing;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** As {@link EncryptedPostgresStoreTest}. */
@EnabledIfSystemProperty(
        named = "tests.stores",
        matches = "true",
        disabledReason =
                "Encryption knows nothing of databases, and is tested over two of them in every build: -Pstores runs it here too.")
class EncryptedMysqlStoreTest extends MysqlStoreContract {

    private static final EncryptionKeyRing RING = EncryptionKeyRing.of("2026-01", new byte[32]);

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
        return new MysqlStoreHarness(SOURCE, store -> EncryptingStore.around(store, RING));
    }
}
