package dev.refrain.store.redis;

import io.lettuce.core.RedisException;
import io.lettuce.core.RedisURI;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.SlotHash;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/** Which master of a Cluster has which keys, as the Cluster says it. Thread-safe. */
final class ClusterTopology {

    private static final Duration AT_MOST_EVERY = Duration.ofSeconds(1);

    private final RedisClusterClient client;
    private final RedisURI seed;
    private final AtomicLong readAt = new AtomicLong(System.nanoTime() - AT_MOST_EVERY.toNanos());

    /** @param seed what every node has in common with it: the login and the kind of connection */
    ClusterTopology(RedisClusterClient client, RedisURI seed) {
        this.client = client;
        this.seed = seed;
    }

    /** @throws RedisException if no master is known for this key */
    RedisURI serverOf(byte[] key) {
        int slot = SlotHash.getSlot(key);
        var master = client.getPartitions().getMasterBySlot(slot);
        if (master == null) {
            readAgain();
            throw new RedisException("no master is known for slot " + slot);
        }
        return at(master.getUri().getHost(), master.getUri().getPort());
    }

    RedisURI at(String host, int port) {
        var node = RedisUrl.copy(seed);
        node.setHost(host);
        node.setPort(port);
        return node;
    }

    /** Has it read anew in the background; a replica that was promoted is found then. */
    void readAgain() {
        long now = System.nanoTime();
        long last = readAt.get();
        if (now - last >= AT_MOST_EVERY.toNanos() && readAt.compareAndSet(last, now)) {
            var unused = client.refreshPartitionsAsync();
        }
    }
}
