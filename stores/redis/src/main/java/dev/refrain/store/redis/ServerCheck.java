package dev.refrain.store.redis;

import dev.refrain.store.StoreException;
import dev.refrain.store.StoreException.Effect;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisServerCommands;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** What servers say of themselves when the store is opened. */
final class ServerCheck {

    private static final int LEAST_VERSION = 7;

    private final String address;
    private final List<Map<String, String>> servers;

    private ServerCheck(String address, List<Map<String, String>> servers) {
        this.address = address;
        this.servers = servers;
    }

    /** Asks the server, or each master of a Cluster. */
    static ServerCheck read(RedisLink link) {
        try (var connection = link.connect()) {
            return new ServerCheck(
                    link.address(),
                    servers(connection).stream().map(ServerCheck::facts).toList());
        }
    }

    /** Returns what a server said of itself in answer to INFO. */
    static ServerCheck of(String address, String info) {
        return new ServerCheck(address, List.of(info(info)));
    }

    /** Returns the servers, each of which is connected to when it is asked. */
    private static List<Supplier<RedisServerCommands<byte[], byte[]>>> servers(
            StatefulConnection<byte[], byte[]> connection) {
        return switch (connection) {
            case StatefulRedisClusterConnection<byte[], byte[]> cluster ->
                RedisLink.masters(cluster)
                        .<Supplier<RedisServerCommands<byte[], byte[]>>>map(node ->
                                () -> cluster.getConnection(node.getNodeId()).sync())
                        .toList();
            case StatefulRedisConnection<byte[], byte[]> single -> List.of(single::sync);
            default -> throw new IllegalStateException("No such connection: " + connection);
        };
    }

    private static Map<String, String> facts(Supplier<RedisServerCommands<byte[], byte[]>> asked) {
        var server = asked.get();
        var facts = info(server.info());
        try {
            server.configGet("appendfsync").forEach(facts::put);
        } catch (RedisCommandExecutionException e) {
            // Managed servers refuse CONFIG: how they sync is not known, so nothing is promised.
            facts.put("appendfsync", "unknown");
        }
        return facts;
    }

    private static Map<String, String> info(String said) {
        var facts = new HashMap<String, String>();
        for (String line : said.split("\r\n", -1)) {
            int colon = line.indexOf(':');
            if (colon > 0) {
                facts.put(line.substring(0, colon), line.substring(colon + 1));
            }
        }
        return facts;
    }

    boolean isCluster() {
        return any("cluster_enabled", "1");
    }

    /** An acknowledged write survives the process only where each one is synced before it is answered, by the server or because we wait for that. */
    boolean isDurable(ReplicaWait wait) {
        return servers.stream()
                .allMatch(server -> fact(server, "aof_enabled").equals("1")
                        && (wait.synced() || fact(server, "appendfsync").equals("always")));
    }

    void refuseWithoutSyncWait() {
        for (var server : servers) {
            String version = fact(server, "redis_version");
            if (version.matches("7\\.[01]\\..*")) {
                throw refusal(address + " is version " + version
                        + ", but waiting for the append-only file (WAITAOF) needs Redis 7.2 or Valkey. Upgrade it, or set"
                        + " appendfsync always there and leave the setting out.");
            }
            if (!fact(server, "aof_enabled").equals("1")) {
                throw refusal(address + " has no append-only file to wait for. Set appendonly yes.");
            }
        }
    }

    String name() {
        var first = servers.getFirst();
        String valkey = fact(first, "valkey_version");
        return (valkey.isEmpty() ? "Redis " + fact(first, "redis_version") : "Valkey " + valkey)
                + (isCluster() ? " Cluster" : "");
    }

    void refuseUnfit() {
        for (var server : servers) {
            String version = fact(server, "redis_version");
            int major = version.isEmpty() ? 0 : Integer.parseInt(version.substring(0, version.indexOf('.')));
            if (major < LEAST_VERSION) {
                throw refusal(address + " is version " + version + ", but the store needs Redis 7.0 or Valkey.");
            }
            if (fact(server, "role").equals("slave")) {
                throw refusal(address + " is a read-only replica of " + fact(server, "master_host") + ":"
                        + fact(server, "master_port") + ". Name the master, or its Sentinels (redis-sentinel://).");
            }
        }
    }

    void refuseEviction() {
        for (var server : servers) {
            String policy = fact(server, "maxmemory_policy");
            if (!policy.equals("noeviction")) {
                throw refusal(address + " has maxmemory-policy " + (policy.isEmpty() ? "unknown" : policy)
                        + ", by which it may delete records, and their requests would run again. Set"
                        + " maxmemory-policy noeviction, or call allowEviction(true) to accept that.");
            }
        }
    }

    List<String> warnings(ReplicaWait wait) {
        var warnings = new ArrayList<String>();
        if (servers.stream().anyMatch(server -> !fact(server, "aof_enabled").equals("1"))) {
            warnings.add(
                    address + " has no append-only file (appendonly no): a restart forgets keys, and their requests"
                            + " run again.");
        } else if (!isDurable(wait)) {
            warnings.add(address + " syncs its append-only file with appendfsync "
                    + fact(servers.getFirst(), "appendfsync")
                    + ": a crash can forget the keys of the last second, and their requests run again.");
        }
        return warnings;
    }

    private StoreException refusal(String message) {
        return StoreException.permanent(message, Effect.NONE, null);
    }

    private boolean any(String name, String value) {
        return servers.stream().anyMatch(server -> fact(server, name).equals(value));
    }

    private static String fact(Map<String, String> server, String name) {
        return server.getOrDefault(name, "");
    }
}
