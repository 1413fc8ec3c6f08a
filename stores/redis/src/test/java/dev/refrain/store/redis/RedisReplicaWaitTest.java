package dev.refrain.store.redis;

import static dev.refrain.store.redis.SampleClaims.claim;
import static dev.refrain.store.redis.SampleClaims.request;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import dev.refrain.servers.RedisServer;
import dev.refrain.store.ClaimResponse;
import dev.refrain.store.Store;
import dev.refrain.store.StoreException;
import dev.refrain.store.StoreException.Effect;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Tests a master that becomes a replica while its replicas are waited for. */
class RedisReplicaWaitTest {

    private static final Duration WITHIN = Duration.ofSeconds(50);

    private static Store waiting(RedisServer server) {
        return RedisStore.builder(server.url())
                .timeout(Duration.ofSeconds(60))
                .waitForReplicas(1, WITHIN)
                .build();
    }

    private static StoreException failureOf(Store store) {
        return catchThrowableOfType(StoreException.class, () -> {
            if (claim(store, request("key-1")) instanceof ClaimResponse.Failed failed) {
                throw failed.failure();
            }
        });
    }

    /** Has the server know the script of a claim, which is sent as a text otherwise. */
    private static void claimOnce(RedisServer server) {
        try (var store = RedisStore.at(server.url())) {
            SampleClaims.acquire(store, "key-0");
        }
    }

    private static void demote(RedisServer server) {
        assertThat(server.command("REPLICAOF", "127.0.0.1", "1")).startsWith("+OK");
    }

    private static int blocked(RedisServer server) {
        return Integer.parseInt(server.command(
                        "EVAL",
                        "return tonumber(string.match(redis.call('INFO', 'clients'), 'blocked_clients:(%d+)'))",
                        "0")
                .substring(1));
    }

    @Test
    void changeWhoseWaitIsEndedByADemotionIsUnknown() {
        try (var server = RedisServer.start();
                var store = waiting(server)) {
            claimOnce(server);
            var failing = CompletableFuture.supplyAsync(() -> failureOf(store));
            await().until(() -> blocked(server) == 1);

            demote(server);

            var failure = failing.join();
            assertThat(failure.effect()).isEqualTo(Effect.UNKNOWN);
            assertThat(failure.isTransient()).isTrue();
            assertThat(server.command("REPLICAOF", "NO", "ONE")).startsWith("+OK");
            assertThat(server.command("EVAL", "return #redis.call('KEYS', '*:r:*')", "0"))
                    .as("the claim had been made")
                    .isEqualTo(":2");
        }
    }

    @Test
    void replicaThatRefusesAScriptHasDoneNothingThoughItRefusesTheWaitToo() {
        try (var server = RedisServer.start();
                var store = waiting(server)) {
            demote(server);

            var failure = failureOf(store);

            assertThat(failure.effect()).isEqualTo(Effect.NONE);
            assertThat(failure.isTransient()).isTrue();
        }
    }
}
