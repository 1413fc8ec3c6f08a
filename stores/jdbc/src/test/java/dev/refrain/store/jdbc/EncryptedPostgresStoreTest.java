package dev.refrain.store.jdbc;

import com.zaxxer.hikari.HikariDataSource;
import dev.refrain.servers.PostgresServer;
import dev.refrain.store.contract.StoreHarness;
import dev.refrain.store.encryption.EncryptingStore;
import dev.refrain.store.encryption.EncryptionKeyRing;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** Encryption changes what is stored, and nothing of what the store and its abilities promise. */
class EncryptedPostgresStoreTest extends JdbcStoreContract {

    private static final EncryptionKeyRing RING = EncryptionKeyRing.of("2026-01", new byte[32]);

    private static final HikariDataSource SOURCE = new HikariDataSource();

    @BeforeAll
    static void openPool() {
        SOURCE.setJdbcUrl(PostgresServer.shared().freshDatabase());
        SOURCE.setMaximumPoolSize(80);
        SOURCE.setMinimumIdle(0);
    }

    @AfterAll
    static void closePool() {
        SOURCE.close();
    }

    @Override
    protected StoreHarness newHarness() {
        return new PostgresStoreHarness(SOURCE, store -> EncryptingStore.around(store, RING));
    }
}
