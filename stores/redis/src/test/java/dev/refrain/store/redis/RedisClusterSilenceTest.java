package dev.refrain.store.redis;

import static dev.refrain.store.redis.SampleClaims.claim;
import static dev.refrain.store.redis.SampleClaims.request;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import dev.refrain.servers.RedisCluster;
import dev.refrain.servers.RedisServer;
import dev.refrain.store.ClaimRequest;
import dev.refrain.store.ClaimResponse;
import dev.refrain.store.Store;
import dev.refrain.store.StoreException;
import dev.refrain.store.StoreException.Effect;
import io.lettuce.core.cluster.SlotHash;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Tests a master of a Cluster that answers nothing, and whose Cluster does not take it for lost: the keys of the others are claimed meanwhile. */
class RedisClusterSilenceTest {

    private static final int SLOTS = 16_384;
    private static final int MASTERS = 3;

    private static int masterOf(ClaimRequest request) {
        int partition = new RedisKeys("refrain").partitionOf(request.lookup());
        return SlotHash.getSlot("refrain:" + partition) * MASTERS / SLOTS;
    }

    private static ClaimRequest of(int master, String name) {
        return IntStream.range(0, 1_000)
                .mapToObj(i -> request(name + "-" + i))
                .filter(each -> masterOf(each) == master)
                .findFirst()
                .orElseThrow();
    }

    private static StoreException failureOf(Store store, ClaimRequest request) {
        return catchThrowableOfType(StoreException.class, () -> {
            if (claim(store, request) instanceof ClaimResponse.Failed failed) {
                throw failed.failure();
            }
        });
    }

    private static void fallSilent(RedisCluster cluster, int master) {
        assertThat(cluster.nodes().get(master).command("CLIENT", "PAUSE", "600000", "ALL"))
                .startsWith("+OK");
    }

    @Test
    void keysOfTheOtherMastersAreClaimedWhileOneIsWaitedFor() throws InterruptedException {
        try (var cluster = RedisCluster.start();
                var store = RedisStore.builder(cluster.url())
                        .timeout(Duration.ofSeconds(20))
                        .build()) {
            fallSilent(cluster, 2);
            var failure = new AtomicReference<StoreException>();
            // It is the first that opens a connection to any of them, and that has the policy of any of them read.
            var waiting = Thread.ofPlatform().start(() -> failure.set(failureOf(store, of(2, "silent"))));
            await().until(() -> waiting.getState() != Thread.State.RUNNABLE && waiting.getState() != Thread.State.NEW);

            assertThat(claim(store, of(0, "first"))).isInstanceOf(ClaimResponse.Acquired.class);
            assertThat(claim(store, of(1, "second"))).isInstanceOf(ClaimResponse.Acquired.class);

            assertThat(waiting.isAlive())
                    .as("the silent one is still waited for")
                    .isTrue();
            waiting.join();
            assertThat(failure.get().effect()).isEqualTo(Effect.NONE);
        }
    }

    @Test
    void silentMasterFailsItsElementsAloneAndIsNotWaitedForAgain() {
        try (var cluster = RedisCluster.start();
                var store = RedisStore.builder(cluster.url())
                        .timeout(Duration.ofSeconds(3))
                        .build()) {
            IntStream.range(0, MASTERS)
                    .forEach(master ->
                            assertThat(claim(store, of(master, "warm"))).isInstanceOf(ClaimResponse.Acquired.class));
            fallSilent(cluster, 2);
            var requests = List.of(of(0, "first"), of(1, "second"), of(2, "silent")).stream()
                    .sorted(Comparator.comparing(ClaimRequest::lookup))
                    .toList();

            var first = store.claim(requests);
            var second = store.claim(requests);

            for (int i = 0; i < requests.size(); i++) {
                if (masterOf(requests.get(i)) < 2) {
                    assertThat(first.get(i)).isInstanceOf(ClaimResponse.Acquired.class);
                    assertThat(second.get(i)).isInstanceOf(ClaimResponse.Acquired.class);
                } else {
                    assertThat(effect(first.get(i))).as("sent").isEqualTo(Effect.UNKNOWN);
                    assertThat(effect(second.get(i))).as("refused at once").isEqualTo(Effect.NONE);
                }
            }
        }
    }

    private static Effect effect(ClaimResponse answer) {
        assertThat(answer)
                .isInstanceOfSatisfying(
                        ClaimResponse.Failed.class,
                        failed -> assertThat(failed.storeAway()).isTrue());
        return ((ClaimResponse.Failed) answer).failure().effect();
    }

    @Test
    void keysOfASlotThatMovedAreFoundWhereTheyAre() {
        try (var cluster = RedisCluster.start();
                var store = RedisStore.at(cluster.url())) {
            var before = of(0, "moving");
            assertThat(claim(store, before)).isInstanceOf(ClaimResponse.Acquired.class);
            int partition = new RedisKeys("refrain").partitionOf(before.lookup());
            String slot = Integer.toString(SlotHash.getSlot("refrain:" + partition));
            var from = cluster.nodes().get(0);
            var to = cluster.nodes().get(1);
            to.command("CLUSTER", "SETSLOT", slot, "IMPORTING", id(from));
            from.command("CLUSTER", "SETSLOT", slot, "MIGRATING", id(to));
            String keys = "return {ok = table.concat(redis.call('KEYS', '{refrain:" + partition + "}*'), ' ')}";
            for (String key : from.command("EVAL", keys, "0").substring(1).split(" ")) {
                assertThat(from.command("MIGRATE", "127.0.0.1", Integer.toString(to.port()), key, "0", "60000"))
                        .startsWith("+");
            }

            to.command("CLUSTER", "SETSLOT", slot, "NODE", id(to));
            from.command("CLUSTER", "SETSLOT", slot, "NODE", id(to));
            assertThat(claim(store, before))
                    .isInstanceOfSatisfying(
                            ClaimResponse.Acquired.class,
                            again -> assertThat(again.record().fence()).isEqualTo(1));
        }
    }

    private static String id(RedisServer node) {
        return node.command("EVAL", "return {ok = redis.call('CLUSTER', 'MYID')}", "0")
                .substring(1);
    }
}
