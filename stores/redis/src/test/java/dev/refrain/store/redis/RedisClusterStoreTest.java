package dev.refrain.store.redis;

import dev.refrain.servers.RedisCluster;
import dev.refrain.store.contract.AuditTrailContract;
import dev.refrain.store.contract.CountsContract;
import dev.refrain.store.contract.EncryptionMarkContract;
import dev.refrain.store.contract.ErasureContract;
import dev.refrain.store.contract.KeptRequestContract;
import dev.refrain.store.contract.StoreContract;
import dev.refrain.store.contract.StoreHarness;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** Tests the store on a cluster of three masters. Only {@code -Plong}: each test opens a client of three servers, and the scripts are the same. */
@EnabledIfSystemProperty(named = "tests.long", matches = "true", disabledReason = "takes longer: -Plong")
class RedisClusterStoreTest extends StoreContract
        implements ErasureContract, AuditTrailContract, CountsContract, KeptRequestContract, EncryptionMarkContract {

    private static RedisCluster cluster;

    @BeforeAll
    static void startCluster() {
        cluster = RedisCluster.start();
    }

    @AfterAll
    static void stopCluster() {
        cluster.close();
    }

    @Override
    protected StoreHarness newHarness() {
        return new RedisStoreHarness(cluster);
    }
}
