package dev.refrain.store.redis;

import static dev.refrain.store.redis.SampleClaims.acquire;
import static dev.refrain.store.redis.SampleClaims.claim;
import static dev.refrain.store.redis.SampleClaims.complete;
import static dev.refrain.store.redis.SampleClaims.identity;
import static dev.refrain.store.redis.SampleClaims.payload;
import static dev.refrain.store.redis.SampleClaims.request;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import dev.refrain.api.ClaimRef;
import dev.refrain.api.RecordId;
import dev.refrain.servers.LossyProxy;
import dev.refrain.servers.RedisServer;
import dev.refrain.store.ClaimRequest;
import dev.refrain.store.ClaimResponse;
import dev.refrain.store.RecordState;
import dev.refrain.store.RecordWrite;
import dev.refrain.store.RecordWriteResponse;
import dev.refrain.store.Store;
import dev.refrain.store.StoreException;
import dev.refrain.store.StoreException.Effect;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Tests servers that are killed, flushed, full, read-only or silent: what is promised holds, and what is not breaks exactly there. */
class RedisFaultTest {

    private static StoreException failureOf(Store store, ClaimRequest request) {
        return catchThrowableOfType(StoreException.class, () -> {
            if (claim(store, request) instanceof ClaimResponse.Failed failed) {
                throw failed.failure();
            }
        });
    }

    /** Each kind of call has a connection of its own. */
    private static void awaitReachable(Store store) {
        var nobodys = new ClaimRef(identity("probe").hash(), new RecordId(UUID.randomUUID()), 1);
        await().ignoreExceptions()
                .until(() -> store.find(List.of(identity("none"))).getFirst().isEmpty()
                        && !(claim(store, request("probe")) instanceof ClaimResponse.Failed)
                        && complete(store, nobodys, "no") instanceof RecordWriteResponse.Refused);
    }

    @Test
    void acknowledgedOutcomesSurviveKillsUnderLoadWhereEveryWriteIsSynced() {
        try (var server = RedisServer.start();
                var store = RedisStore.at(server.url())) {
            for (int round = 0; round < 3; round++) {
                Queue<String> done = new ConcurrentLinkedQueue<>();
                try (var callers = Executors.newVirtualThreadPerTaskExecutor()) {
                    for (int caller = 0; caller < 8; caller++) {
                        String name = "key-" + round + "-" + caller + "-";
                        callers.execute(() -> completeUntilItFails(store, name, done));
                    }
                    await().until(() -> done.size() > 100);
                    server.killHard();
                }
                server.restart();
                awaitReachable(store);

                for (String key : done) {
                    var record = store.find(List.of(identity(key))).getFirst().orElseThrow();
                    assertThat(record.state()).isEqualTo(RecordState.COMPLETED);
                    assertThat(record.outcome()).contains(payload(key));
                    assertThat(claim(store, request(key))).isInstanceOf(ClaimResponse.Found.class);
                }
            }
        }
    }

    private static void completeUntilItFails(Store store, String name, Queue<String> done) {
        try {
            for (int i = 0; ; i++) {
                if (complete(store, acquire(store, name + i), name + i) instanceof RecordWriteResponse.Written) {
                    done.add(name + i);
                }
            }
        } catch (StoreException | ClassCastException e) {
            // Killed.
        }
    }

    /** What docs/stores.md says is not promised. */
    @Test
    void keysAreForgottenByARestartWithoutAppendOnlyFile() {
        try (var server = RedisServer.start(Map.of("appendonly", "no"));
                var store = RedisStore.at(server.url())) {
            assertThat(complete(store, acquire(store, "key-1"), "done")).isEqualTo(new RecordWriteResponse.Written());
            server.restart();
            awaitReachable(store);

            assertThat(claim(store, request("key-1"))).isInstanceOf(ClaimResponse.Acquired.class);
        }
    }

    /** The key runs again, and still no two runners of it write. */
    @Test
    void runnerWhoseRecordWasFlushedWritesNothing() {
        try (var server = RedisServer.start();
                var store = RedisStore.at(server.url())) {
            var lost = acquire(store, "key-1");
            server.command("FLUSHALL");
            assertThat(complete(store, lost, "late")).isInstanceOf(RecordWriteResponse.Refused.class);

            var again = acquire(store, "key-1");

            assertThat(again.id()).isNotEqualTo(lost.id());
            assertThat(complete(store, lost, "late")).isInstanceOf(RecordWriteResponse.Refused.class);
            assertThat(complete(store, again, "mine")).isEqualTo(new RecordWriteResponse.Written());
        }
    }

    @Test
    void killedServerIsNothingHappenedOrUnknownAndItsRestartIsFound() {
        try (var server = RedisServer.start();
                var store = RedisStore.at(server.url())) {
            var claim = acquire(store, "key-1");
            server.killHard();
            await().until(() -> failureOf(store, request("key-2")).effect() == Effect.NONE);
            assertThat(failureOf(store, request("key-2")).isTransient()).isTrue();

            server.restart();
            awaitReachable(store);

            await().ignoreExceptions()
                    .until(() -> complete(store, claim, "done").equals(new RecordWriteResponse.Written()));
        }
    }

    @Test
    void flushedScriptsAreSentAgain() {
        try (var server = RedisServer.start();
                var store = RedisStore.at(server.url())) {
            var claim = acquire(store, "key-1");
            server.command("SCRIPT", "FLUSH");

            assertThat(complete(store, claim, "done")).isEqualTo(new RecordWriteResponse.Written());
            assertThat(claim(store, request("key-1"))).isInstanceOf(ClaimResponse.Found.class);
        }
    }

    @Test
    void silentNetworkIsUnknownWithinTheTimeoutAndTheClaimIsFoundAgain() {
        try (var server = RedisServer.start();
                var proxy = new LossyProxy(server.port())) {
            int port = LossyProxy.port(LossyProxy.through("redis://there/", proxy));
            try (var store = RedisStore.builder(server.url(port))
                    .timeout(Duration.ofSeconds(1))
                    .build()) {
                acquire(store, "warm");
                proxy.fallSilent();
                var request = request("key-1");
                long before = System.nanoTime();

                var failure = failureOf(store, request);

                assertThat(failure.effect()).isEqualTo(Effect.UNKNOWN);
                assertThat(failure.isTransient()).isTrue();
                assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(Duration.ofSeconds(30));
                proxy.heal();
                proxy.breakOff();
                await().ignoreExceptions()
                        .until(() -> claim(store, request) instanceof ClaimResponse.Acquired again
                                && again.record().fence() == 1
                                && again.record().owner().equals(request.nonce()));
            }
        }
    }

    @Test
    void lostReplyIsUnknownAndTheSameNonceFindsItsClaim() {
        try (var server = RedisServer.start();
                var proxy = new LossyProxy(server.port())) {
            int port = LossyProxy.port(LossyProxy.through("redis://there/", proxy));
            try (var store = RedisStore.at(server.url(port))) {
                acquire(store, "warm");
                var request = request("key-1");
                proxy.loseReplies();

                assertThat(failureOf(store, request).effect()).isEqualTo(Effect.UNKNOWN);

                proxy.heal();
                await().ignoreExceptions()
                        .until(() -> claim(store, request) instanceof ClaimResponse.Acquired again
                                && again.record().fence() == 1);
            }
        }
    }

    @Test
    void slowReplyIsWaitedForUntilTheTimeoutAndUnknownAfterIt() {
        try (var server = RedisServer.start();
                var proxy = new LossyProxy(server.port())) {
            int port = LossyProxy.port(LossyProxy.through("redis://there/", proxy));
            try (var patient = RedisStore.builder(server.url(port))
                            .timeout(Duration.ofSeconds(60))
                            .build();
                    var hasty = RedisStore.builder(server.url(port))
                            .timeout(Duration.ofSeconds(2))
                            .build()) {
                acquire(hasty, "warm");
                complete(patient, acquire(patient, "warm-too"), "done");
                var held = acquire(patient, "held");
                proxy.delayReplies(Duration.ofSeconds(3));
                var request = request("key-1");

                var failure = failureOf(hasty, request);
                assertThat(complete(patient, held, "done")).isEqualTo(new RecordWriteResponse.Written());

                assertThat(failure.effect()).isEqualTo(Effect.UNKNOWN);
                assertThat(failure.isTransient()).isTrue();
                proxy.heal();
                await().ignoreExceptions()
                        .until(() -> claim(hasty, request) instanceof ClaimResponse.Acquired again
                                && again.record().fence() == 1
                                && again.record().owner().equals(request.nonce()));
            }
        }
    }

    @Test
    void batchTakesOneRoundTrip() {
        int keys = 20;
        try (var server = RedisServer.start();
                var proxy = new LossyProxy(server.port())) {
            int port = LossyProxy.port(LossyProxy.through("redis://there/", proxy));
            try (var store = RedisStore.at(server.url(port))) {
                complete(store, acquire(store, "warm"), "done");
                // Whose second connection has the eviction policy read once more.
                acquire(store, "warm-again");
                int before = proxy.sent();

                var claims = store
                        .claim(IntStream.range(0, keys)
                                .mapToObj(i -> request("key-" + i))
                                .toList())
                        .stream()
                        .map(answer ->
                                ((ClaimResponse.Acquired) answer).record().claim())
                        .toList();
                int claimed = proxy.sent();
                var written = store.write(claims.stream()
                        .map(claim -> new RecordWrite.Complete(claim, Optional.of(payload("done")), Optional.empty()))
                        .toList());

                assertThat(written).hasSize(keys).containsOnly(new RecordWriteResponse.Written());
                // One, but the network may cut what was sent at once in two.
                assertThat(claimed - before).isBetween(1, 3);
                assertThat(proxy.sent() - claimed).isBetween(1, 3);
            }
        }
    }

    @Test
    void fullServerRefusesNewKeysAndStillReplaysAndRecordsWorkThatWasDone() {
        try (var server = RedisServer.start();
                var store = RedisStore.at(server.url())) {
            assertThat(complete(store, acquire(store, "key-1"), "done")).isEqualTo(new RecordWriteResponse.Written());
            var running = acquire(store, "key-2");
            server.command("CONFIG", "SET", "maxmemory", "1");

            var refused = failureOf(store, request("key-3"));
            var answers = store.claim(List.of(request("key-1"), request("key-4")));

            assertThat(refused.effect()).isEqualTo(Effect.NONE);
            assertThat(refused.isTransient()).isTrue();
            assertThat(answers.getFirst()).as("a replay").isInstanceOf(ClaimResponse.Found.class);
            assertThat(answers.getLast()).as("fails alone").isInstanceOf(ClaimResponse.Failed.class);
            assertThat(complete(store, running, "done")).isEqualTo(new RecordWriteResponse.Written());
            server.command("CONFIG", "SET", "maxmemory", "0");
            assertThat(store.find(List.of(identity("key-3"))).getFirst()).isEmpty();
            assertThat(claim(store, request("key-3"))).isInstanceOf(ClaimResponse.Acquired.class);
        }
    }

    @Test
    void serverThatBecameAReplicaRefusesWithoutEffect() {
        try (var server = RedisServer.start();
                var master = RedisServer.start();
                var store = RedisStore.at(server.url())) {
            acquire(store, "key-1");
            server.command("REPLICAOF", "127.0.0.1", Integer.toString(master.port()));

            assertThat(failureOf(store, request("key-2")).effect()).isEqualTo(Effect.NONE);
        }
    }

    @Test
    void changeThatTooFewReplicasHaveIsUnknown() {
        try (var master = RedisServer.start();
                var store = RedisStore.builder(master.url())
                        .waitForReplicas(1, Duration.ofMillis(200))
                        .build()) {
            var request = request("key-1");
            assertThat(failureOf(store, request).effect()).isEqualTo(Effect.UNKNOWN);

            try (var replica = RedisServer.start(Map.of("masterauth", master.password()))) {
                replica.command("REPLICAOF", "127.0.0.1", Integer.toString(master.port()));

                await().ignoreExceptions().until(() -> claim(store, request) instanceof ClaimResponse.Acquired);
            }
        }
    }

    /** As a replica that was promoted may be, and a server that was restarted. */
    @Test
    void serverThatEvictsAfterItWasConnectedToAgainTakesNoNewKeysAndRecordsWorkThatWasDone() {
        try (var server = RedisServer.start();
                var store = RedisStore.at(server.url())) {
            var running = acquire(store, "running");
            server.command("CONFIG", "SET", "maxmemory-policy", "allkeys-lru");
            server.command("CLIENT", "KILL", "TYPE", "normal");

            var refused = new AtomicReference<StoreException>();
            await().ignoreExceptions().until(() -> {
                refused.set(failureOf(store, request("key-1")));
                return refused.get().getMessage().contains("maxmemory-policy allkeys-lru");
            });

            assertThat(refused.get().effect()).isEqualTo(Effect.NONE);
            assertThat(refused.get().isTransient()).isTrue();
            await().ignoreExceptions()
                    .until(() -> complete(store, running, "done") instanceof RecordWriteResponse.Written);
            server.command("CONFIG", "SET", "maxmemory-policy", "noeviction");
            assertThat(claim(store, request("key-1"))).isInstanceOf(ClaimResponse.Acquired.class);
        }
    }

    @Test
    void sweepHasThePolicyReadAgain() {
        try (var server = RedisServer.start();
                var store = RedisStore.at(server.url());
                var careless =
                        RedisStore.builder(server.url()).allowEviction(true).build()) {
            acquire(store, "key-1");
            server.command("CONFIG", "SET", "maxmemory-policy", "volatile-lru");
            store.sweep(Duration.ZERO, 10);
            careless.sweep(Duration.ZERO, 10);

            assertThat(failureOf(store, request("key-2"))).hasMessageContaining("maxmemory-policy volatile-lru");
            assertThat(claim(careless, request("key-2"))).isInstanceOf(ClaimResponse.Acquired.class);
        }
    }

    /** What docs/stores.md says of allow-eviction: broken exactly there, and nothing else is. */
    @Test
    void serverThatEvictsForgetsKeysWhoseRequestsRunAgain() {
        try (var server = RedisServer.start();
                var store = RedisStore.builder(server.url()).allowEviction(true).build()) {
            var first = acquire(store, "key-0");
            assertThat(complete(store, first, "done")).isEqualTo(new RecordWriteResponse.Written());
            server.command("CONFIG", "SET", "maxmemory-policy", "allkeys-lru");
            server.command("CONFIG", "SET", "maxmemory", "4mb");
            // The policy spares what was used last, so that looking for the key must be rare.
            for (int round = 1;
                    store.find(List.of(identity("key-0"))).getFirst().isPresent();
                    round++) {
                for (int i = 0; i < 100; i++) {
                    complete(store, acquire(store, "key-" + round + "-" + i), "x".repeat(100_000));
                }
            }

            var again = claim(store, request("key-0"));

            assertThat(again).as("evicted: it runs again").isInstanceOf(ClaimResponse.Acquired.class);
            assertThat(complete(store, first, "late"))
                    .as("the runner of the forgotten claim writes nothing")
                    .isInstanceOf(RecordWriteResponse.Refused.class);
            assertThat(((ClaimResponse.Acquired) again).record().claim().id()).isNotEqualTo(first.id());
        }
    }
}
