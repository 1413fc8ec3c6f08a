package dev.refrain.servers;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Cluster of three masters, with or without a replica each. Each node is a {@link RedisServer}, which can be killed and restarted. */
public final class RedisCluster implements AutoCloseable {

    private static final int SLOTS = 16_384;
    private static final int NODES = 3;
    private static final Duration READY_WITHIN = Duration.ofSeconds(60);

    /** One password for all, since clients have one. */
    private static final Map<String, String> SETTINGS =
            Map.of("cluster-enabled", "yes", "cluster-node-timeout", "2000", "requirepass", "", "masterauth", "");

    private final List<RedisServer> nodes;
    private final List<RedisServer> replicas = new ArrayList<>();

    private RedisCluster(List<RedisServer> nodes) {
        this.nodes = nodes;
    }

    /** Starts a cluster in which a replica takes the place of a master that is gone, within some seconds. */
    public static RedisCluster startWithReplicas() {
        var cluster = start();
        for (var master : cluster.nodes) {
            var replica = RedisServer.start(SETTINGS);
            cluster.replicas.add(replica);
            master.command("CLUSTER", "MEET", "127.0.0.1", Integer.toString(replica.port()));
            // A status, because only the first line of a reply is read.
            String id = master.command("EVAL", "return {ok = redis.call('CLUSTER', 'MYID')}", "0")
                    .substring(1);
            ConditionWait.until(
                    () -> replica.command("CLUSTER", "REPLICATE", id).equals("+OK"),
                    READY_WITHIN,
                    () -> "The replica does not know its master.");
        }
        ConditionWait.until(
                () -> cluster.nodes.stream()
                        .allMatch(master -> master.command("WAIT", "1", "100").equals(":1") && knowsReplicas(master)),
                READY_WITHIN,
                () -> "The replicas did not follow their masters.");
        cluster.awaitWhole();
        return cluster;
    }

    /** A replica is elected by masters that know it. */
    private static boolean knowsReplicas(RedisServer master) {
        String counted = "return select(2, string.gsub(redis.call('CLUSTER', 'NODES'), 'slave', ''))";
        return master.command("EVAL", counted, "0").equals(":" + NODES);
    }

    /** Starts the nodes and returns when each says that the cluster is whole. */
    public static RedisCluster start() {
        var nodes = IntStream.range(0, NODES)
                .mapToObj(i -> RedisServer.start(SETTINGS))
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

    /** Returns the masters, as they were at first. */
    public List<RedisServer> nodes() {
        return nodes;
    }

    /** Returns the replica of each master, in the order of these. */
    public List<RedisServer> replicas() {
        return replicas;
    }

    @Override
    public void close() {
        replicas.forEach(RedisServer::close);
        nodes.forEach(RedisServer::close);
    }
}
