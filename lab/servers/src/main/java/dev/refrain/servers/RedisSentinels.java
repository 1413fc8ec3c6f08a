package dev.refrain.servers;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;

/** A master, a replica, and three Sentinels that promote the replica when the master is gone. */
public final class RedisSentinels implements AutoCloseable {

    private static final String NAME = "keys";
    private static final int SENTINELS = 3;
    private static final int QUORUM = 2;
    private static final Duration READY_WITHIN = Duration.ofSeconds(60);

    private final List<RedisServer> sentinels = new ArrayList<>();
    private final RedisServer master;
    private final RedisServer replica;

    private RedisSentinels() {
        // One password for both, which change places.
        String password = UUID.randomUUID().toString();
        master = RedisServer.start(Map.of("requirepass", password));
        replica = RedisServer.start(Map.of("requirepass", password));
    }

    /** Starts all of them and returns when the Sentinels know each other and the replica. */
    public static RedisSentinels start() {
        var group = new RedisSentinels();
        group.replica.command("REPLICAOF", "127.0.0.1", Integer.toString(group.master.port()));
        ConditionWait.until(
                () -> group.master.command("WAIT", "1", "100").equals(":1"),
                READY_WITHIN,
                () -> "The replica did not follow its master.");
        for (int i = 0; i < SENTINELS; i++) {
            group.sentinels.add(RedisServer.sentinel(NAME, group.master, QUORUM));
        }
        ConditionWait.until(
                () -> group.sentinels.stream().allMatch(RedisSentinels::isReady),
                READY_WITHIN,
                () -> "The Sentinels did not find each other.");
        return group;
    }

    private static boolean isReady(RedisServer sentinel) {
        // Enough others for a quorum and a majority, and a replica to promote.
        return sentinel.command("SENTINEL", "CKQUORUM", NAME).startsWith("+OK " + SENTINELS)
                && sentinel.command("SENTINEL", "REPLICAS", NAME).equals("*1");
    }

    /** Returns the URL of the Sentinels, with the password of the servers behind them. */
    public String url() {
        return "redis-sentinel://:" + master.password() + "@"
                + sentinels.stream()
                        .map(sentinel -> "127.0.0.1:" + sentinel.port())
                        .collect(Collectors.joining(","))
                + "#" + NAME;
    }

    /** Returns the first master. */
    public RedisServer master() {
        return master;
    }

    @Override
    public void close() {
        sentinels.forEach(RedisServer::close);
        replica.close();
        master.close();
    }
}
