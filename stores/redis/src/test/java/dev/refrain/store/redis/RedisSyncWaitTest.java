package dev.refrain.store.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.refrain.servers.CapturedWarnings;
import dev.refrain.servers.RedisServer;
import dev.refrain.store.RecordWriteResponse;
import dev.refrain.store.StoreException;
import dev.refrain.store.StoreException.Effect;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tests the wait for the append-only file, which the server that the build brings along is too old for. */
class RedisSyncWaitTest {

    private static final Duration WITHIN = Duration.ofSeconds(3);

    private static RedisStore careful(RedisServer server) {
        return RedisStore.builder(server.url()).waitForSync(0, WITHIN).build();
    }

    private static void assumeRecent(RedisServer server) {
        assumeTrue(
                server.command("WAITAOF", "0", "0", "1").equals("*2"),
                "needs Redis 7.2 or Valkey: -Drefrain.test.redis.program=…");
    }

    @Test
    void serverThatIsTooOldIsRefusedInASentence() {
        try (var server = RedisServer.start()) {
            assumeTrue(server.command("WAITAOF", "0", "0", "1").startsWith("-ERR unknown command"), "a recent server");

            assertThatThrownBy(() -> careful(server))
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining("(WAITAOF) needs Redis 7.2 or Valkey");
        }
    }

    @Test
    void serverThatSyncsEverySecondIsDurableWhereThatIsWaitedFor() {
        try (var server = RedisServer.start(Map.of("appendfsync", "everysec"))) {
            assumeRecent(server);
            try (var warnings = CapturedWarnings.of(RedisStoreBuilder.class);
                    var store = careful(server)) {
                assertThat(store.traits().durable()).isTrue();
                assertThat(warnings.messages()).isEmpty();
                assertThat(SampleClaims.complete(store, SampleClaims.acquire(store, "key-1"), "done"))
                        .isEqualTo(new RecordWriteResponse.Written());
                assertThat(server.command("WAITAOF", "1", "0", "1"))
                        .as("answers at once: all is synced")
                        .isEqualTo("*2");
            }
        }
    }

    /** The server leaves it to the operating system to write its file, and never knows. */
    @Test
    void changeThatIsNotInTheFileInTimeIsUnknown() {
        try (var server = RedisServer.start(Map.of("appendfsync", "no"))) {
            assumeRecent(server);
            try (var store = RedisStore.builder(server.url())
                    .waitForSync(0, Duration.ofMillis(200))
                    .build()) {
                assertThatThrownBy(() -> SampleClaims.claim(store, SampleClaims.request("key-1")))
                        .isInstanceOfSatisfying(
                                StoreException.class,
                                e -> assertThat(e.effect()).isEqualTo(Effect.UNKNOWN))
                        .hasMessageContaining("was not in the append-only file");
            }
        }
    }

    @Test
    void serverWithoutAppendOnlyFileIsRefused() {
        try (var server = RedisServer.start(Map.of("appendonly", "no"))) {
            assumeRecent(server);

            assertThatThrownBy(() -> careful(server))
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining("has no append-only file to wait for");
        }
    }
}
