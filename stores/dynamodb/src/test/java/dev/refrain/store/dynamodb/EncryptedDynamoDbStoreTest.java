package dev.refrain.store.dynamodb;

import dev.refrain.servers.DynamoDbLocal;
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
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** Tests the store with payloads that are encrypted before they reach DynamoDB, and a time to live that deletes at once. */
@EnabledIfSystemProperty(named = "tests.stores", matches = "true", disabledReason = "needs DynamoDB Local: -Pstores")
class EncryptedDynamoDbStoreTest extends StoreContract
        implements ErasureContract, AuditTrailContract, CountsContract, KeptRequestContract, EncryptionMarkContract {

    private static final EncryptionKeyRing RING = EncryptionKeyRing.parse("k1=" + "A".repeat(43) + "=");

    private static DynamoDbLocal server;

    @BeforeAll
    static void startServer() {
        server = DynamoDbLocal.start();
    }

    @AfterAll
    static void stopServer() {
        server.close();
    }

    @Override
    protected StoreHarness newHarness() {
        return new DynamoDbStoreHarness(server, true, store -> EncryptingStore.around(store, RING));
    }
}
