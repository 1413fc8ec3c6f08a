package dev.refrain.store.redis;

import static dev.refrain.store.redis.SampleClaims.acquire;
import static dev.refrain.store.redis.SampleClaims.claim;
import static dev.refrain.store.redis.SampleClaims.complete;
import static dev.refrain.store.redis.SampleClaims.request;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.type;
import static org.awaitility.Awaitility.await;

import dev.refrain.servers.RedisCluster;
import dev.refrain.servers.RedisServer;
import dev.refrain.store.ClaimResponse;
import dev.refrain.store.RecordWriteResponse;
import dev.refrain.store.StoreException;
import dev.refrain.store.StoreException.Effect;
import io.lettuce.core.MigrateArgs;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.cluster.SlotHash;
import io.lettuce.core.cluster.models.partitions.ClusterPartitionParser;
import io.lettuce.core.cluster.models.partitions.RedisClusterNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** Tests a Cluster of which slots are moved to other masters while keys of them are claimed and completed. Only {@code -Plong}. */
@EnabledIfSystemProperty(named = "tests.long", matches = "true", disabledReason = "takes longer: -Plong")
class RedisClusterReshardingTest {

    private static final Duration PATIENCE = Duration.ofMinutes(1);

    /** Masters to which one can say that a slot is theirs. */
    private static final class Masters implements AutoCloseable {

        private final RedisClient client = RedisClient.create();
        private final List<RedisCommands<String, String>> masters = new ArrayList<>();
        private final List<RedisServer> servers;

        Masters(RedisCluster cluster) {
            servers = cluster.nodes();
            servers.forEach(server ->
                    masters.add(client.connect(RedisURI.create(server.url())).sync()));
        }

        private int ownerOf(int slot) {
            var view = viewOf(masters.getFirst());
            return IntStream.range(0, masters.size())
                    .filter(master ->
                            view.get(masters.get(master).clusterMyId()).slots().contains(slot))
                    .findFirst()
                    .orElseThrow();
        }

        private record Share(long epoch, Set<Integer> slots) {}

        private static Map<String, Share> viewOf(RedisCommands<String, String> master) {
            return ClusterPartitionParser.parse(master.clusterNodes()).stream()
                    .collect(Collectors.toMap(
                            RedisClusterNode::getNodeId,
                            node -> new Share(node.getConfigEpoch(), Set.copyOf(node.getSlots()))));
        }

        /** Otherwise old news of a slot may be taken for later ones of another, and two masters end up each naming the other as its owner. */
        private void awaitAgreement() {
            await().atMost(PATIENCE)
                    .until(() ->
                            masters.stream().map(Masters::viewOf).distinct().count() == 1);
        }

        /** Moves a slot to the next master as redis-cli does, and returns how many keys it had. */
        int move(int slot) {
            return move(slot, () -> {});
        }

        /** @param halfway what is done when some of its keys are with the one, and the others with the other */
        int move(int slot, Runnable halfway) {
            int owner = ownerOf(slot);
            int next = (owner + 1) % masters.size();
            var from = masters.get(owner);
            var to = masters.get(next);
            String id = to.clusterMyId();
            to.clusterSetSlotImporting(slot, from.clusterMyId());
            from.clusterSetSlotMigrating(slot, id);
            int moved = 0;
            for (var keys = from.clusterGetKeysInSlot(slot, 1);
                    !keys.isEmpty();
                    keys = from.clusterGetKeysInSlot(slot, 10)) {
                from.migrate("127.0.0.1", servers.get(next).port(), 0, 10_000, MigrateArgs.Builder.keys(keys));
                if (moved == 0) {
                    halfway.run();
                }
                moved += keys.size();
            }
            to.clusterSetSlotNode(slot, id);
            from.clusterSetSlotNode(slot, id);
            awaitAgreement();
            return moved;
        }

        @Override
        public void close() {
            client.shutdown();
        }
    }

    @Test
    void keysWhoseSlotsMoveAreClaimedOnceAndNoneIsLost() throws Exception {
        try (var cluster = RedisCluster.start();
                var masters = new Masters(cluster);
                var store = RedisStore.at(cluster.url());
                var twin = RedisStore.at(cluster.url());
                var traffic = new TwinClaims()) {
            traffic.send(store);
            traffic.send(twin);
            traffic.awaitMore(100);
            var keys = new RedisKeys("refrain");
            int moved = 0;
            for (int partition = 0; partition < RedisKeys.PARTITIONS; partition++) {
                moved += masters.move(SlotHash.getSlot(keys.lease(partition)));
            }
            traffic.awaitEnd();

            assertThat(moved).as("keys in slots that were moved").isGreaterThan(100);
            traffic.assertEachWasClaimedOnceAndNoneIsLost(store);
        }
    }

    /** What docs/stores.md says: refused, and nothing happened. */
    @Test
    void keysOfASlotThatIsHalfMovedAreRefusedUntilAllOfItIsThere() {
        try (var cluster = RedisCluster.start();
                var masters = new Masters(cluster);
                var store = RedisStore.at(cluster.url())) {
            var held = acquire(store, "key-1");
            var keys = new RedisKeys("refrain");
            int slot = SlotHash.getSlot(keys.lease(keys.partitionOf(held.lookup())));

            masters.move(
                    slot,
                    () -> assertThatThrownBy(() -> complete(store, held, "early"))
                            .asInstanceOf(type(StoreException.class))
                            .returns(Effect.NONE, StoreException::effect)
                            .returns(true, StoreException::isTransient));

            await().ignoreExceptions()
                    .until(() -> complete(store, held, "done").equals(new RecordWriteResponse.Written()));
            assertThat(claim(store, request("key-1"))).isInstanceOf(ClaimResponse.Found.class);
        }
    }
}
