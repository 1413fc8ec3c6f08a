package dev.refrain.store.redis;

import static dev.refrain.store.redis.SampleClaims.acquire;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import dev.refrain.servers.LossyProxy;
import dev.refrain.servers.RedisServer;
import dev.refrain.store.StoreException;
import dev.refrain.store.StoreException.Effect;
import dev.refrain.store.memory.MemoryStore;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SslOptions;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Tests connections that are lost while something is under way. Run with the client library of each Spring Boot: they do other things then. */
class LostConnectionTest {

    private static final Duration SOON = Duration.ofSeconds(60);

    private static int port(LossyProxy proxy) {
        return LossyProxy.port(LossyProxy.through("redis://there/", proxy));
    }

    @Test
    void scriptWhoseReplyWasLostIsUnknownAndNotSentAgainByTheNextConnection() {
        try (var server = RedisServer.start();
                var direct = RedisStore.at(server.url());
                var proxy = new LossyProxy(server.port());
                var link = RedisLink.single(RedisURI.create(server.url(port(proxy))), SOON, SslOptions.create())) {
            var keys = new RedisKeys("refrain");
            var connection = new RedisScriptConnection(link, SOON, ReplicaWait.NONE, keys.waitMarker());
            var line = ScriptCall.of(RedisScript.AUDIT, List.of(keys.trail(0)))
                    .bytes(RecordScripts.line("erase", "records of a scope", "ann", "asked for it"))
                    .build();
            // The server knows the script from here on.
            connection.call("Writing a line", line);
            proxy.loseReplies();

            var writing = CompletableFuture.supplyAsync(
                    () -> catchThrowableOfType(StoreException.class, () -> connection.call("Writing a line", line)));
            await().until(() -> direct.listAuditTrail(10).size() == 2);
            proxy.heal();

            var failure = writing.join();
            assertThat(failure).as("and not the answer to a second copy").isNotNull();
            assertThat(failure.effect()).isEqualTo(Effect.UNKNOWN);
            assertThat(direct.listAuditTrail(10)).hasSize(2);
        }
    }

    @Test
    void lookupThatIsCancelledWithItsConnectionIsAnsweredByTheDatabase() {
        try (var server = RedisServer.start()) {
            var proxy = new LossyProxy(server.port());
            var database = new CachedStores.CountedDatabase(new MemoryStore());
            try (var store = CachedStores.connected(
                    database.store(), server.url(port(proxy)) + CachedStores.PATIENT, InstantSource.system())) {
                proxy.fallSilent();
                int sent = proxy.sent();
                var claiming = CompletableFuture.supplyAsync(() -> acquire(store, "key-1"));
                await().until(() -> proxy.sent() > sent);
                // Lost, and not to be opened again: what was under way waits in the client library, or fails.
                proxy.close();

                store.cache().close();

                assertThat(claiming.join()).isNotNull();
                assertThat(database.asked()).isEqualTo(1);
            } finally {
                proxy.close();
            }
        }
    }
}
