package dev.refrain.store.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.refrain.servers.RedisSentinels;
import dev.refrain.store.Store;
import dev.refrain.store.StoreLocation;
import dev.refrain.store.memory.MemoryStore;
import io.lettuce.core.RedisURI;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Tests that a master is found by its Sentinels, whoever names them: a URL, a client library's address, a replay cache. */
class RedisSentinelAddressTest {

    private static RedisSentinels group;

    @BeforeAll
    static void startGroup() {
        group = RedisSentinels.start();
    }

    @AfterAll
    static void stopGroup() {
        group.close();
    }

    private static void assertOnMaster(Store store, String key) {
        SampleClaims.acquire(store, key);
        assertThat(group.master().command("EVAL", "return #redis.call('KEYS', '{" + key + ":*}:r:*')", "0"))
                .isEqualTo(":1");
    }

    private static String withPrefix(String prefix) {
        return group.url().replace("#", "?key-prefix=" + prefix + "#");
    }

    @Test
    void masterIsFoundByTheUrlOfItsSentinels() {
        try (var store = StoreLocation.of(withPrefix("by-url")).open()) {
            assertOnMaster(store, "by-url");
        }
    }

    @Test
    void passwordBesideTheUrlIsTheMasters() {
        String url = withPrefix("by-login").replace(group.master().password(), "wrong");

        try (var store =
                StoreLocation.of(url).login("", group.master().password()).open()) {
            assertOnMaster(store, "by-login");
        }
    }

    @Test
    void masterIsFoundByTheAddressOfAClientLibrary() {
        try (var store = RedisStore.builder(RedisURI.create(group.url()))
                .keyPrefix("by-address")
                .build()) {
            assertOnMaster(store, "by-address");
        }
    }

    @Test
    void sentinelsAndTheirLoginsAreCopied() {
        var uri = RedisURI.builder()
                .withSentinel("one", 26379, "sentinels-own")
                .withSentinel("two", 26380)
                .withSentinelMasterId("keys")
                .withPassword("secret".toCharArray())
                .withSsl(true)
                .build();

        var copy = RedisUrl.copy(uri);

        assertThat(copy.getSentinelMasterId()).isEqualTo("keys");
        assertThat(copy.isSsl()).isTrue();
        assertThat(copy.getSentinels()).containsExactlyElementsOf(uri.getSentinels());
        assertThat(password(copy)).isEqualTo("secret");
        assertThat(password(copy.getSentinels().getFirst())).isEqualTo("sentinels-own");
        copy.getSentinels().getFirst().setPort(1);
        assertThat(uri.getSentinels().getFirst().getPort()).isEqualTo(26379);
        assertThat(RedisStore.builder(List.of(uri))).isNotNull();
    }

    private static String password(RedisURI uri) {
        return new String(uri.getCredentialsProvider()
                .resolveCredentials()
                .blockOptional()
                .orElseThrow()
                .getPassword());
    }

    @Test
    void replayCacheIsFoundByItsSentinels() {
        var url = group.url().replace("#", CachedStores.PATIENT + "#");

        try (var store = (ReplayCachingStore) StoreLocation.of(url).openBefore(new MemoryStore())) {
            CachedStores.awaitConnected(store);
            CachedStores.promote(store, "key-1", "paid");

            assertThat(CachedStores.entries(group.master())).hasSize(1);
        }
    }
}
