package dev.refrain.store.redis;

import static dev.refrain.store.redis.SampleClaims.acquire;
import static dev.refrain.store.redis.SampleClaims.claim;
import static dev.refrain.store.redis.SampleClaims.complete;
import static dev.refrain.store.redis.SampleClaims.identity;
import static dev.refrain.store.redis.SampleClaims.payload;
import static dev.refrain.store.redis.SampleClaims.request;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.refrain.servers.LossyProxy;
import dev.refrain.servers.RedisSentinels;
import dev.refrain.servers.RedisServer;
import dev.refrain.store.ClaimResponse;
import dev.refrain.store.RecordState;
import dev.refrain.store.RecordWriteResponse;
import dev.refrain.store.Store;
import dev.refrain.store.StoreException;
import dev.refrain.store.StoreException.Effect;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * Tests a master that is lost, with its replica promoted: what docs/stores.md does not promise is broken exactly there, and only there. Only {@code
 * -Plong}.
 */
@EnabledIfSystemProperty(named = "tests.long", matches = "true", disabledReason = "takes longer: -Plong")
class RedisFailoverTest {

    private static final Duration SOON = Duration.ofSeconds(60);

    /** A master and its replica, whose connection to it can be cut. */
    private static final class Pair implements AutoCloseable {

        final RedisServer master;
        final LossyProxy between;
        final RedisServer replica;

        Pair(Map<String, String> settings) {
            master = RedisServer.start(settings);
            between = new LossyProxy(master.port());
            replica = RedisServer.start(Map.of("masterauth", master.password()));
            replica.command(
                    "REPLICAOF",
                    "localhost",
                    Integer.toString(LossyProxy.port(LossyProxy.through("redis://there/", between))));
            await().atMost(SOON).until(() -> master.command("WAIT", "1", "100").equals(":1"));
        }

        /** Waits until the replica has what was done. */
        void awaitInStep() {
            master.command("SET", "marker", "1");
            await().atMost(SOON).until(() -> replica.command("EXISTS", "marker").equals(":1"));
            master.command("DEL", "marker");
            await().atMost(SOON).until(() -> replica.command("EXISTS", "marker").equals(":0"));
        }

        void cut() {
            between.standStill();
        }

        void failOver() {
            master.killHard();
            replica.command("REPLICAOF", "NO", "ONE");
        }

        @Override
        public void close() {
            replica.close();
            between.close();
            master.close();
        }
    }

    @Test
    void acknowledgedKeyIsForgottenWhereTheReplicaLaggedAndNoOtherIs() {
        try (var pair = new Pair(Map.of());
                var store = RedisStore.at(pair.master.url())) {
            assertThat(complete(store, acquire(store, "old"), "old")).isEqualTo(new RecordWriteResponse.Written());
            var running = acquire(store, "running");
            pair.awaitInStep();
            pair.cut();
            var lost = acquire(store, "new");
            assertThat(complete(store, lost, "new")).isEqualTo(new RecordWriteResponse.Written());

            pair.failOver();

            try (var after = RedisStore.at(pair.replica.url())) {
                assertThat(after.find(List.of(identity("old")))
                                .getFirst()
                                .orElseThrow()
                                .outcome())
                        .contains(payload("old"));
                assertThat(claim(after, request("old"))).isInstanceOf(ClaimResponse.Found.class);
                assertThat(claim(after, request("running"))).isInstanceOf(ClaimResponse.Found.class);
                assertThat(complete(after, running, "done")).isEqualTo(new RecordWriteResponse.Written());
                assertThat(claim(after, request("new")))
                        .as("acknowledged and forgotten: it runs again")
                        .isInstanceOf(ClaimResponse.Acquired.class);
                assertThat(complete(after, lost, "late"))
                        .as("a runner of the forgotten claim writes nothing")
                        .isInstanceOf(RecordWriteResponse.Refused.class);
            }
        }
    }

    @Test
    void changeThatTheReplicaLacksIsNotAcknowledgedWhereReplicasAreWaitedFor() {
        try (var pair = new Pair(Map.of());
                var store = RedisStore.builder(pair.master.url())
                        .waitForReplicas(1, Duration.ofSeconds(2))
                        .build()) {
            var claim = acquire(store, "key-1");
            pair.cut();

            assertThatThrownBy(() -> complete(store, claim, "done"))
                    .isInstanceOfSatisfying(
                            StoreException.class, e -> assertThat(e.effect()).isEqualTo(Effect.UNKNOWN))
                    .hasMessageContaining("a failover now may forget it");

            pair.failOver();
            try (var after = RedisStore.at(pair.replica.url())) {
                assertThat(claim(after, request("key-1")))
                        .as("claimed, and acknowledged: it is known")
                        .isInstanceOf(ClaimResponse.Found.class);
                assertThat(complete(after, claim, "done")).isEqualTo(new RecordWriteResponse.Written());
            }
        }
    }

    @Test
    void outcomesThatAReplicaAcknowledgedSurviveAMasterThatIsKilledUnderLoad() {
        try (var pair = new Pair(Map.of());
                var store = RedisStore.builder(pair.master.url())
                        .waitForReplicas(1, Duration.ofSeconds(2))
                        .build()) {
            Queue<String> done = new ConcurrentLinkedQueue<>();
            try (var callers = Executors.newVirtualThreadPerTaskExecutor()) {
                for (int caller = 0; caller < 8; caller++) {
                    String name = "key-" + caller + "-";
                    callers.execute(() -> completeUntilItFails(store, name, done));
                }
                await().atMost(SOON).until(() -> done.size() > 300);
                pair.failOver();
            }

            try (var after = RedisStore.at(pair.replica.url())) {
                for (String key : done) {
                    var record = after.find(List.of(identity(key))).getFirst().orElseThrow();
                    assertThat(record.state()).isEqualTo(RecordState.COMPLETED);
                    assertThat(record.outcome()).contains(payload(key));
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

    @Test
    void masterThatWasCutOffRunsAKeyThatItsSuccessorRunsTooUntilItMissesItsReplicas() {
        try (var pair = new Pair(Map.of("min-replicas-to-write", "1", "min-replicas-max-lag", "10"));
                var store = RedisStore.at(pair.master.url())) {
            await().atMost(SOON)
                    .ignoreExceptions()
                    .until(() -> claim(store, request("warm")) instanceof ClaimResponse.Acquired);
            pair.cut();
            assertThat(claim(store, request("key-1"))).isInstanceOf(ClaimResponse.Acquired.class);
            pair.replica.command("REPLICAOF", "NO", "ONE");
            try (var successor = RedisStore.at(pair.replica.url())) {
                assertThat(claim(successor, request("key-1"))).isInstanceOf(ClaimResponse.Acquired.class);

                await().atMost(SOON)
                        .until(() -> failure(store) instanceof StoreException refused
                                && refused.effect() == Effect.NONE
                                && refused.isTransient());
            }
        }
    }

    private static Exception failure(Store store) {
        try {
            return claim(store, request("key-2")) instanceof ClaimResponse.Failed failed
                    ? failed.failure()
                    : new IllegalStateException("not refused");
        } catch (StoreException e) {
            return e;
        }
    }

    @Test
    void successorThatSentinelsElectHasWhatReplicasAcknowledgedAndTakesNewKeys() {
        try (var group = RedisSentinels.start();
                var careful = RedisStore.builder(group.url())
                        .timeout(Duration.ofSeconds(2))
                        .waitForReplicas(1, Duration.ofSeconds(1))
                        .build();
                var plain = RedisStore.builder(group.url())
                        .timeout(Duration.ofSeconds(2))
                        .build()) {
            for (int i = 0; i < 50; i++) {
                assertThat(complete(careful, acquire(careful, "key-" + i), "done " + i))
                        .isEqualTo(new RecordWriteResponse.Written());
            }
            var running = acquire(careful, "running");

            group.master().killHard();

            await().atMost(SOON)
                    .ignoreExceptions()
                    .until(() -> complete(plain, running, "done").equals(new RecordWriteResponse.Written()));
            await().atMost(SOON)
                    .ignoreExceptions()
                    .until(() -> claim(plain, request("new")) instanceof ClaimResponse.Acquired);
            for (int i = 0; i < 50; i++) {
                assertThat(claim(plain, request("key-" + i)))
                        .isInstanceOfSatisfying(
                                ClaimResponse.Found.class,
                                found -> assertThat(found.record().state()).isEqualTo(RecordState.COMPLETED));
            }
        }
    }
}
