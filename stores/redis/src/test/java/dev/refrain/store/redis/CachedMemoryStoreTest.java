package dev.refrain.store.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.refrain.servers.RedisServer;
import dev.refrain.store.contract.AuditTrailContract;
import dev.refrain.store.contract.CompletionContract;
import dev.refrain.store.contract.CountsContract;
import dev.refrain.store.contract.ErasureContract;
import dev.refrain.store.contract.KeptRequestContract;
import dev.refrain.store.contract.StoreContract;
import dev.refrain.store.contract.StoreHarness;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** A replay cache changes nothing of what the store inside promises. */
class CachedMemoryStoreTest extends StoreContract
        implements CompletionContract, ErasureContract, AuditTrailContract, CountsContract, KeptRequestContract {

    private static RedisServer server;

    @BeforeAll
    static void startServer() {
        server = RedisServer.start();
    }

    @AfterAll
    static void stopServer() {
        try (var ending = server) {
            assertThat(CachedStores.hits(ending))
                    .as("answers of the cache: without them these tests show nothing")
                    .isGreaterThan(100);
        }
    }

    @Override
    protected StoreHarness newHarness() {
        return new CachedMemoryStoreHarness(server);
    }
}
