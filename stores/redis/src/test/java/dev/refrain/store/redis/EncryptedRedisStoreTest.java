package dev.refrain.store.redis;

import dev.refrain.servers.RedisServer;
import dev.refrain.store.contract.AuditTrailContract;
import dev.refrain.store.contract.CountsContract;
import dev.refrain.store.contract.EncryptionMarkContract;
import dev.refrain.store.contract.ErasureContract;
import dev.refrain.store.contract.KeptRequestContract;
import dev.refrain.store.contract.StoreContract;
import dev.refrain.store.contract.StoreHarness;
import dev.refrain.store.encryption.EncryptingStore;
import dev.refrain.store.encryption.EncryptionKeyRing;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** Tests the store with payloads that are encrypted before they reach the server. */
class EncryptedRedisStoreTest extends StoreContract
        implements ErasureContract, AuditTrailContract, CountsContract, KeptRequestContract, EncryptionMarkContract {

    private static final EncryptionKeyRing RING = EncryptionKeyRing.parse("k1=" + "A".repeat(43) + "=");

    private static RedisServer server;

    @BeforeAll
    static void startServer() {
        server = RedisServer.start();
    }

    @AfterAll
    static void stopServer() {
        server.close();
    }

    @Override
    protected StoreHarness newHarness() {
        return new RedisStoreHarness(server, store -> EncryptingStore.around(store, RING));
    }
}
