package dev.refrain.store.redis;

import static dev.refrain.store.redis.SampleClaims.claim;
import static dev.refrain.store.redis.SampleClaims.complete;
import static dev.refrain.store.redis.SampleClaims.identity;
import static dev.refrain.store.redis.SampleClaims.payload;
import static dev.refrain.store.redis.SampleClaims.request;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.refrain.api.ClaimRef;
import dev.refrain.servers.RedisCluster;
import dev.refrain.servers.RedisServer;
import dev.refrain.store.ClaimResponse;
import dev.refrain.store.RecordState;
import dev.refrain.store.RecordWriteResponse;
import io.lettuce.core.MigrateArgs;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.cluster.SlotHash;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** Tests a Cluster of which slots are moved to other masters while keys of them are claimed and completed. Only {@code -Plong}. */
@EnabledIfSystemProperty(named = "tests.long", matches = "true", disabledReason = "takes longer: -Plong")
class RedisClusterReshardingTest {

    private static final int CALLERS = 4;
    private static final int KEYS_OF_A_CALLER = 200;
    private static final Duration PATIENCE = Duration.ofMinutes(5);

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
            for (int master = 0; master < masters.size(); master++) {
                String own = masters.get(master)
                        .clusterNodes()
                        .lines()
                        .filter(line -> line.contains("myself"))
                        .findFirst()
                        .orElseThrow();
                if (ranges(own).anyMatch(range -> slot >= range[0] && slot <= range[range.length - 1])) {
                    return master;
                }
            }
            throw new IllegalStateException("Nobody has slot " + slot);
        }

        /** The slots of a line of CLUSTER NODES; those that are on the move are in brackets. */
        private static Stream<int[]> ranges(String line) {
            return Arrays.stream(line.split(" "))
                    .skip(8)
                    .filter(range -> !range.startsWith("["))
                    .map(range -> Arrays.stream(range.split("-"))
                            .mapToInt(Integer::parseInt)
                            .toArray());
        }

        /** Moves a slot to the next master as redis-cli does, and returns how many keys it had. */
        int move(int slot) {
            int owner = ownerOf(slot);
            int next = (owner + 1) % masters.size();
            var from = masters.get(owner);
            var to = masters.get(next);
            to.clusterSetSlotImporting(slot, from.clusterMyId());
            from.clusterSetSlotMigrating(slot, to.clusterMyId());
            int moved = 0;
            for (var keys = from.clusterGetKeysInSlot(slot, 5);
                    !keys.isEmpty();
                    keys = from.clusterGetKeysInSlot(slot, 5)) {
                from.migrate("127.0.0.1", servers.get(next).port(), 0, 10_000, MigrateArgs.Builder.keys(keys));
                moved += keys.size();
            }
            String id = to.clusterMyId();
            to.clusterSetSlotNode(slot, id);
            from.clusterSetSlotNode(slot, id);
            masters.forEach(master -> master.clusterSetSlotNode(slot, id));
            return moved;
        }

        @Override
        public void close() {
            client.shutdown();
        }
    }

    private final Map<String, Set<ClaimRef>> claims = new ConcurrentHashMap<>();
    private final AtomicInteger completed = new AtomicInteger();

    /** As a client does that retries under the nonce of its claim; a twin has another one. */
    private void run(RedisStore store, String key) {
        var request = request(key);
        await().atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(5))
                .ignoreExceptions()
                .until(() -> switch (claim(store, request)) {
                    case ClaimResponse.Acquired acquired -> {
                        var held = acquired.record().claim();
                        claims.computeIfAbsent(key, name -> ConcurrentHashMap.newKeySet())
                                .add(held);
                        yield complete(store, held, key) instanceof RecordWriteResponse.Written;
                    }
                    case ClaimResponse.Found found -> found.record().state() == RecordState.COMPLETED;
                    default -> false;
                });
        completed.incrementAndGet();
    }

    private List<Future<?>> send(RedisStore store, ExecutorService threads, AtomicBoolean enough) {
        var sent = new ArrayList<Future<?>>();
        for (int caller = 0; caller < CALLERS; caller++) {
            String name = "key-" + caller + "-";
            sent.add(threads.submit(() -> {
                for (int i = 0; i < KEYS_OF_A_CALLER || !enough.get(); i++) {
                    run(store, name + i);
                }
            }));
        }
        return sent;
    }

    @Test
    void keysWhoseSlotsMoveAreClaimedOnceAndNoneIsLost() throws Exception {
        try (var cluster = RedisCluster.start();
                var masters = new Masters(cluster);
                var store = RedisStore.at(cluster.url());
                var twin = RedisStore.at(cluster.url());
                var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var enough = new AtomicBoolean();
            var sent = send(store, threads, enough);
            sent.addAll(send(twin, threads, enough));
            try {
                await().atMost(PATIENCE).until(() -> completed.get() > 100);
                var keys = new RedisKeys("refrain");
                int moved = 0;
                for (int partition = 0; partition < RedisKeys.PARTITIONS; partition++) {
                    moved += masters.move(SlotHash.getSlot(keys.lease(partition)));
                }
                assertThat(moved).as("keys in slots that were moved").isGreaterThan(100);
            } finally {
                enough.set(true);
            }
            for (var caller : sent) {
                caller.get();
            }

            assertThat(claims)
                    .allSatisfy((key, held) -> assertThat(held).as(key).hasSize(1));
            assertThat(claims).hasSizeGreaterThanOrEqualTo(CALLERS * KEYS_OF_A_CALLER);
            for (String key : claims.keySet()) {
                assertThat(store.find(List.of(identity(key)))
                                .getFirst()
                                .orElseThrow()
                                .outcome())
                        .contains(payload(key));
                assertThat(claim(twin, request(key))).isInstanceOf(ClaimResponse.Found.class);
            }
            assertThat(store.countUnsettled(10).inProgress()).isZero();
        }
    }
}
