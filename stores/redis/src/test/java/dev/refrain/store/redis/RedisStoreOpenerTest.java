package dev.refrain.store.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.refrain.servers.RedisServer;
import dev.refrain.store.StoreException;
import dev.refrain.store.StoreLocation;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests stores that are opened by their URL alone, as the gateway, the command line and Spring do. */
class RedisStoreOpenerTest {

    private static RedisServer server;

    @BeforeAll
    static void startServer() {
        server = RedisServer.start();
    }

    @AfterAll
    static void stopServer() {
        server.close();
    }

    private static StoreLocation at(String parameters) {
        return StoreLocation.of("redis://127.0.0.1:" + server.port() + parameters)
                .login("", server.password());
    }

    @Test
    void urlOpensTheStoreWithItsSettings() {
        try (var store = at("?key-prefix=shop&timeout=2s&allow-eviction=false&clientName=keys")
                .open()) {
            SampleClaims.acquire(store, "key-1");
            assertThat(server.command("EVAL", "return #redis.call('KEYS', '{shop:*}:r:*')", "0"))
                    .isEqualTo(":1");
        }
    }

    @Test
    void passwordBesideTheUrlGoesBeforeThatInIt() {
        String url = "redis://:wrong@127.0.0.1:" + server.port();

        StoreLocation.of(url).login("default", server.password()).open().close();

        assertThatThrownBy(() -> StoreLocation.of(url).open()).isInstanceOf(StoreException.class);
    }

    @Test
    void waitIsASettingOfTheUrl() {
        try (var store = at("?wait-for-replicas=1&wait-within=100ms").open()) {
            assertThatThrownBy(() -> SampleClaims.claim(store, SampleClaims.request("key-2")))
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining("1 are demanded");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "?keyprefix=shop, has the parameter 'keyprefix'",
        "?timeout=2, 'timeout is a time such as 200ms or 2s'",
        "?wait-for-replicas=one, wait-for-replicas is a number",
        "?allow-eviction=yes, allow-eviction is true or false"
    })
    void wrongParameterIsRefusedInASentence(String parameters, String sentence) {
        assertThatThrownBy(() -> at(parameters).open())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(sentence)
                .hasMessageNotContaining(server.password());
    }
}
