package dev.refrain.store.jdbc;

import dev.refrain.store.contract.StoreHarness;
import dev.refrain.store.encryption.EncryptingStore;
import dev.refrain.store.encryption.EncryptionKeyRing;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

/** Encryption changes what is stored, and nothing of what the store and its abilities promise. */
class EncryptedSqliteStoreTest extends JdbcStoreContract {

    private static final EncryptionKeyRing RING = EncryptionKeyRing.of("2026-01", new byte[32]);

    @TempDir
    Path directory;

    @Override
    protected StoreHarness newHarness() {
        return new SqliteStoreHarness(directory, store -> EncryptingStore.around(store, RING));
    }
}
