package dev.refrain.store.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.refrain.Refrain;
import dev.refrain.servers.CapturedWarnings;
import dev.refrain.servers.RedisServer;
import dev.refrain.store.StoreException;
import dev.refrain.store.StoreException.Effect;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Tests what is refused when a store is opened, and what is said. */
class RedisStartTest {

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
    void storeIsDurableWithEverySyncAndNeverCorrect() {
        try (var store = RedisStore.at(server.url())) {
            assertThat(store.traits().name()).matches("(Redis|Valkey) \\d+\\.\\d+\\.\\d+");
            assertThat(store.traits().durable()).isTrue();
            assertThat(store.traits().correct()).isFalse();
        }
    }

    @Test
    void operationThatDemandsACorrectStoreIsRefusedAtStart() {
        try (var store = RedisStore.at(server.url());
                var refrain = Refrain.using(store)) {
            var operation = refrain.operation("charge");

            assertThatThrownBy(operation::requireCorrectStore)
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("charge demands a correct store (requireCorrectStore), but Redis ");
        }
    }

    @Test
    void evictingServerIsRefusedUnlessAllowed() {
        try (var evicting = RedisServer.start(Map.of("maxmemory-policy", "allkeys-lru"))) {
            assertThatThrownBy(() -> RedisStore.at(evicting.url()))
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining("maxmemory-policy allkeys-lru")
                    .hasMessageContaining("noeviction")
                    .hasMessageNotContaining(evicting.password());

            RedisStore.builder(evicting.url()).allowEviction(true).build().close();
        }
    }

    @Test
    void replicaIsRefusedAndItsMasterNamed() {
        try (var replica = RedisServer.start()) {
            replica.command("REPLICAOF", "127.0.0.1", Integer.toString(server.port()));

            assertThatThrownBy(() -> RedisStore.at(replica.url()))
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining("read-only replica of 127.0.0.1:" + server.port());
        }
    }

    @Test
    void serverWithoutPersistenceIsWarnedOfAndNotDurable() {
        try (var forgetful = RedisServer.start(Map.of("appendonly", "no"));
                var warnings = CapturedWarnings.of(RedisStoreBuilder.class);
                var store = RedisStore.at(forgetful.url())) {
            assertThat(store.traits().durable()).isFalse();
            assertThat(warnings.messages()).anyMatch(line -> line.contains("appendonly no"));
        }
    }

    @Test
    void serverThatSyncsEverySecondIsWarnedOfAndNotDurable() {
        try (var lazy = RedisServer.start(Map.of("appendfsync", "everysec"));
                var warnings = CapturedWarnings.of(RedisStoreBuilder.class);
                var store = RedisStore.at(lazy.url())) {
            assertThat(store.traits().durable()).isFalse();
            assertThat(warnings.messages()).anyMatch(line -> line.contains("appendfsync everysec"));
        }
    }

    @Test
    void unreachableServerIsToldWithItsAddressAndWithoutItsPassword() {
        var gone = RedisServer.start();
        gone.close();

        assertThatThrownBy(() -> RedisStore.at(gone.url()))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("Redis at 127.0.0.1:" + gone.port() + " is not reachable")
                .hasMessageNotContaining(gone.password())
                .satisfies(e -> assertThat(((StoreException) e).effect()).isEqualTo(Effect.NONE));
    }

    @Test
    void refusedLoginIsToldAsOneAndWithoutThePassword() {
        assertThatThrownBy(() -> RedisStore.at("redis://:wrong-secret@127.0.0.1:" + server.port()))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining(
                        "Redis at 127.0.0.1:" + server.port() + " runs, but refused the login (WRONGPASS)")
                .hasMessageContaining("Check the user name and the password")
                .hasMessageNotContaining("not reachable")
                .hasMessageNotContaining("wrong-secret")
                .satisfies(e -> assertThat(((StoreException) e).effect()).isEqualTo(Effect.NONE));
        assertThatThrownBy(() -> RedisStore.at("redis://127.0.0.1:" + server.port()))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("refused the login (NOAUTH)");
        server.command("ACL", "SETUSER", "modest", "on", ">modest-secret", "+ping");
        assertThatThrownBy(() -> RedisStore.at("redis://modest:modest-secret@127.0.0.1:" + server.port()))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("its ACL does not allow this user what the store needs (NOPERM)")
                .hasMessageNotContaining("modest-secret");
    }

    @Test
    void urlOfAnotherKindIsRefusedWithoutRepeatingIt() {
        assertThatThrownBy(() -> RedisStore.builder("http://:secret@localhost"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("redis://HOST:PORT")
                .hasMessageNotContaining("secret");
    }

    @Test
    void waitForReplicasThatIsLongerThanTheTimeoutIsRefused() {
        var builder = RedisStore.builder(server.url())
                .timeout(Duration.ofSeconds(1))
                .waitForReplicas(1, Duration.ofSeconds(1));

        assertThatThrownBy(builder::build)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("must be shorter than the timeout");
    }
}
