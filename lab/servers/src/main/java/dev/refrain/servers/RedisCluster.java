package dev.refrain.servers;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Cluster of three masters without replicas. Each is a {@link RedisServer}, which can be killed and restarted. */
public final class RedisCluster implements AutoCloseable {

    private static final int SLOTS = 16_384;
    private static final int NODES = 3;
    private static final Duration READY_WITHIN = Duration.ofSeconds(60);

    private final List<RedisServer> nodes;

    private RedisCluster(List<RedisServer> nodes) {
        this.nodes = nodes;
    }

    /** Starts the nodes and returns when each says that the cluster is whole. */
    public static RedisCluster start() {
        // One password for all, since clients have one.
        var settings = Map.of("cluster-enabled", "yes", "cluster-node-timeout", "2000", "requirepass", "");
        var nodes = IntStream.range(0, NODES)
                .mapToObj(i -> RedisServer.start(settings))
                .toList();
        for (int i = 0; i < NODES; i++) {
            nodes.get(i)
                    .command(
                            "CLUSTER",
                            "ADDSLOTSRANGE",
                            Integer.toString(SLOTS * i / NODES),
                            Integer.toString(SLOTS * (i + 1) / NODES - 1));
            nodes.getFirst()
                    .command(
                            "CLUSTER",
                            "MEET",
                            "127.0.0.1",
                            Integer.toString(nodes.get(i).port()));
        }
        var cluster = new RedisCluster(nodes);
        cluster.awaitWhole();
        return cluster;
    }

    /** Kills each node and starts it again, and returns when the cluster is whole. */
    public void restart() {
        nodes.forEach(RedisServer::killHard);
        nodes.forEach(RedisServer::restart);
        awaitWhole();
    }

    private void awaitWhole() {
        ConditionWait.until(
                () -> nodes.stream().allMatch(RedisCluster::isWhole),
                READY_WITHIN,
                () -> "The cluster did not become whole within " + READY_WITHIN.toSeconds() + " s.");
    }

    private static boolean isWhole(RedisServer node) {
        // Keys in each third of the slots: answered, or sent elsewhere, only once the node knows all of them.
        return Stream.of("a", "b", "c", "d", "e")
                .map(key -> node.command("GET", key))
                .allMatch(reply -> reply.startsWith("$") || reply.startsWith("-MOVED"));
    }

    /** Returns the URL of the first node. */
    public String url() {
        return "redis://127.0.0.1:" + nodes.getFirst().port();
    }

    public List<RedisServer> nodes() {
        return nodes;
    }

    @Override
    public void close() {
        nodes.forEach(RedisServer::close);
    }
}
