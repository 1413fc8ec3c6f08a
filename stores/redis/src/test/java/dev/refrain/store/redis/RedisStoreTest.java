package dev.refrain.store.redis;

import dev.refrain.servers.RedisServer;
import dev.refrain.store.contract.AuditTrailContract;
import dev.refrain.store.contract.CountsContract;
import dev.refrain.store.contract.EncryptionMarkContract;
import dev.refrain.store.contract.ErasureContract;
import dev.refrain.store.contract.KeptRequestContract;
import dev.refrain.store.contract.StoreContract;
import dev.refrain.store.contract.StoreHarness;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** Tests the store on one server that syncs its append-only file after every write. */
class RedisStoreTest extends StoreContract
        implements ErasureContract, AuditTrailContract, CountsContract, KeptRequestContract, EncryptionMarkContract {

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
        return new RedisStoreHarness(server, UnaryOperator.identity());
    }
}
