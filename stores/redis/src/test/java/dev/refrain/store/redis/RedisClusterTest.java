package dev.refrain.store.redis;

import static dev.refrain.store.redis.SampleClaims.acquire;
import static dev.refrain.store.redis.SampleClaims.claim;
import static dev.refrain.store.redis.SampleClaims.complete;
import static dev.refrain.store.redis.SampleClaims.identity;
import static dev.refrain.store.redis.SampleClaims.request;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.refrain.api.ClaimRef;
import dev.refrain.servers.RedisCluster;
import dev.refrain.store.ClaimRequest;
import dev.refrain.store.ClaimResponse;
import dev.refrain.store.ErasureRequest;
import dev.refrain.store.RecordWrite;
import dev.refrain.store.RecordWriteResponse;
import dev.refrain.store.Resolution;
import dev.refrain.store.StoreException;
import dev.refrain.store.memory.MemoryStore;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Tests every kind of call on a cluster of three masters; {@link RedisClusterStoreTest} has the whole contract. */
class RedisClusterTest {

    private static final int KEYS = 100;

    private static RedisCluster cluster;

    @BeforeAll
    static void startCluster() {
        cluster = RedisCluster.start();
    }

    @AfterAll
    static void stopCluster() {
        cluster.close();
    }

    @Test
    void replaysComeFromAllMasters() {
        var database = new CachedStores.CountedDatabase(new MemoryStore());
        try (var store = CachedStores.connected(
                database.store(), cluster.url() + CachedStores.PATIENT, InstantSource.system())) {
            var requests = IntStream.range(0, KEYS)
                    .mapToObj(i -> request("replayed-" + i))
                    .sorted(Comparator.comparing(ClaimRequest::lookup))
                    .toList();
            requests.forEach(
                    each -> complete(store, acquire(store, each.identity().key()), "paid"));
            // The first lookup begins the epoch, the second one is promoted.
            store.claim(requests);
            store.claim(requests);
            int before = database.asked();

            assertThat(store.claim(requests)).hasOnlyElementsOfType(ClaimResponse.Found.class);

            assertThat(database.asked()).isEqualTo(before);
        }
    }

    @Test
    void batchesAndListsReachAllMasters() {
        try (var store = RedisStore.at(cluster.url())) {
            var requests = IntStream.range(0, KEYS)
                    .mapToObj(i -> request("key-" + i))
                    .sorted(Comparator.comparing(ClaimRequest::lookup))
                    .toList();
            var claims = store.claim(requests).stream()
                    .map(answer -> ((ClaimResponse.Acquired) answer).record().claim())
                    .toList();
            assertThat(cluster.nodes()).allMatch(node -> !node.command("DBSIZE").equals(":0"));

            assertThat(store.write(claims.stream()
                            .map(held -> new RecordWrite.Escalate(held, "the connection broke"))
                            .toList()))
                    .containsOnly(new RecordWriteResponse.Written());
            var listed = store.listAttention(null, KEYS);
            assertThat(listed).hasSize(KEYS).isSortedAccordingTo(Comparator.comparing(item -> item.since()));
            listed.forEach(item -> assertThat(store.resolve(
                            new Resolution(item.claim(), new Resolution.RunAgain(), "ann", "asked the bank")))
                    .isEqualTo(new RecordWriteResponse.Written()));

            assertThat(store.listAuditTrail(KEYS)).hasSize(KEYS);
            assertThat(store.countKeys(identity("any").scope(), KEYS * 2)).isEqualTo(KEYS);
            assertThat(store.countUnsettled(KEYS * 2).attention()).isZero();
            assertThat(store.sweep(Duration.ZERO, KEYS).released()).isZero();
            assertThat(store.reap(KEYS)).isZero();
            assertThat(store.erase(new ErasureRequest(
                                    new ErasureRequest.OfScope(identity("any").scope()), "ann", "asked for it", KEYS))
                            .erased())
                    .isEqualTo(KEYS);
        }
    }

    @Test
    void masterThatIsDownFailsItsElementsAlone() {
        try (var store = RedisStore.at(cluster.url())) {
            cluster.nodes().forEach(node -> node.command("CONFIG", "SET", "cluster-require-full-coverage", "no"));
            var held = IntStream.range(0, KEYS)
                    .mapToObj(i -> acquire(store, "held-" + i))
                    .sorted(Comparator.comparing(ClaimRef::lookup))
                    .toList();
            List<RecordWriteResponse> answers;
            try {
                cluster.nodes().getLast().killHard();
                answers = store.write(held.stream()
                        .map(claim -> new RecordWrite.Renew(claim, Duration.ofMinutes(5)))
                        .toList());
            } finally {
                cluster.restart();
            }

            assertThat(answers).anyMatch(RecordWriteResponse.Written.class::isInstance);
            assertThat(answers).anyMatch(RecordWriteResponse.Failed.class::isInstance);
            assertThat(answers).noneMatch(RecordWriteResponse.Refused.class::isInstance);
            try (var after = RedisStore.at(cluster.url())) {
                assertThat(claim(after, request("held-1"))).isInstanceOf(ClaimResponse.Found.class);
            }
        }
    }

    /** What is counted and listed would look complete; what sweeps and reaps goes on with the others, and comes back. */
    @Test
    void masterThatIsDownStopsNoSweepAndNoReapAndFailsCountsAndLists() {
        int swept;
        try (var store = RedisStore.at(cluster.url())) {
            cluster.nodes().forEach(node -> node.command("CONFIG", "SET", "cluster-require-full-coverage", "no"));
            var requests = IntStream.range(0, KEYS)
                    .mapToObj(i -> SampleClaims.request("short-" + i, Duration.ofMillis(1)))
                    .sorted(Comparator.comparing(ClaimRequest::lookup))
                    .toList();
            assertThat(store.claim(requests)).allMatch(ClaimResponse.Acquired.class::isInstance);
            try {
                cluster.nodes().getLast().killHard();

                swept = store.sweep(Duration.ZERO, KEYS * 2).toAttention();

                assertThat(swept).isBetween(1, KEYS - 1);
                assertThat(store.reap(KEYS)).isZero();
                assertThatThrownBy(() -> store.listAttention(null, KEYS * 2))
                        .isInstanceOf(StoreException.class)
                        .hasMessageContaining("Listing attention is incomplete")
                        .hasMessageContaining("of 64 partitions");
                assertThatThrownBy(() -> store.countUnsettled(KEYS * 2))
                        .isInstanceOf(StoreException.class)
                        .hasMessageContaining("Counting unsettled records is incomplete");
            } finally {
                cluster.restart();
            }
        }
        try (var after = RedisStore.at(cluster.url())) {
            assertThat(after.sweep(Duration.ZERO, KEYS * 2).toAttention()).isEqualTo(KEYS - swept);
        }
    }

    @Test
    void waitForReplicasIsRefusedOnACluster() {
        var builder = RedisStore.builder(cluster.url()).waitForReplicas(1, Duration.ofMillis(100));

        assertThatThrownBy(builder::build)
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("not supported on a Redis Cluster");
    }
}
