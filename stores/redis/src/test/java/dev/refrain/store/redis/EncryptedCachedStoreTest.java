package dev.refrain.store.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.refrain.servers.RedisServer;
import dev.refrain.store.encryption.EncryptingStore;
import dev.refrain.store.encryption.EncryptionKeyRing;
import dev.refrain.store.memory.MemoryStore;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Encryption goes around the cache: what is in Redis is what is in the database. */
class EncryptedCachedStoreTest {

    private static final EncryptionKeyRing RING = EncryptionKeyRing.of("2026-01", new byte[32]);

    private static RedisServer server;

    @BeforeAll
    static void startServer() {
        server = RedisServer.start();
    }

    @AfterAll
    static void stopServer() {
        server.close();
    }

    @Test
    void outcomeIsEncryptedInRedisToo() {
        try (var cached = CachedStores.connected(new MemoryStore(), server)) {
            var store = EncryptingStore.around(cached, RING);
            SampleClaims.complete(store, SampleClaims.acquire(store, "secret-key"), "paid to Eve");
            CachedStores.found(store, "secret-key");
            CachedStores.found(store, "secret-key");

            assertThat(CachedStores.entries(server)).isNotEmpty();
            assertThat(CachedStores.anyEntryContains(server, "Eve")).isFalse();
            assertThat(CachedStores.anyEntryContains(server, "secret-key")).isFalse();
            assertThat(CachedStores.found(store, "secret-key").outcome()).contains(SampleClaims.payload("paid to Eve"));
        }
    }

    @Test
    void storeInsideThatEncryptsIsRefused() {
        var encrypting = EncryptingStore.around(new MemoryStore(), RING);

        assertThatThrownBy(() -> ReplayCachingStore.around(encrypting, server.url() + CachedStores.PATIENT))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("EncryptingStore.around(ReplayCachingStore.around(");
    }
}
