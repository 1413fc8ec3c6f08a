package dev.refrain.store.redis;

import dev.refrain.store.StoreClock;
import dev.refrain.store.StoreException;
import dev.refrain.store.StoreException.Effect;
import dev.refrain.store.StoreLimits;
import dev.refrain.store.StoreTraits;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SslOptions;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Builder of a {@link RedisStore}. Not thread-safe. */
public final class RedisStoreBuilder {

    private static final System.Logger LOG = System.getLogger(RedisStoreBuilder.class.getName());

    /** A larger value would hold up everybody else: a server does one thing at a time. */
    private static final int PAYLOAD_BYTES = 16 << 20;

    private static final int BATCH_ROWS = 256;

    private final List<RedisURI> uris;
    private String prefix = "refrain";
    private Duration timeout = Duration.ofSeconds(5);
    private ReplicaWait replicas = ReplicaWait.NONE;
    private boolean evictionAllowed;
    private SslOptions certificates = SslOptions.create();

    RedisStoreBuilder(List<RedisURI> nodes) {
        if (nodes.isEmpty()) {
            throw new IllegalArgumentException("Name a server of the Redis store.");
        }
        uris = nodes.stream().map(RedisUrl::copy).toList();
    }

    RedisStoreBuilder(String url) {
        uris = RedisUrl.nodes("Redis store", url);
    }

    /** Logs in with this password instead of that of the URL; at Sentinels they both apply to the master. An empty user is the server's default one. */
    RedisStoreBuilder login(String user, String password) {
        RedisUrl.login(uris, user, password);
        return this;
    }

    /** Sets what the names of all keys begin with, so that several stores can share a server. Default: {@code refrain}. */
    public RedisStoreBuilder keyPrefix(String name) {
        prefix = RedisUrl.requirePrefix(name);
        return this;
    }

    /** Sets how long to wait for a connection, and for the answers to a batch. Default: 5 s. */
    public RedisStoreBuilder timeout(Duration time) {
        if (!time.isPositive()) {
            throw new IllegalArgumentException("The timeout must be positive, but is " + time + ".");
        }
        timeout = time;
        return this;
    }

    /**
     * Demands that every change has reached this many replicas before it is acknowledged. Where fewer have it in time, the outcome is
     * unknown and the batch is asked again. Narrows what a failover can forget, and does not close it. Not on a Cluster.
     *
     * @param count number of replicas
     * @param within how long to wait for them, less than the timeout
     */
    public RedisStoreBuilder waitForReplicas(int count, Duration within) {
        if (count < 1 || within.toMillis() < 1) {
            throw new IllegalArgumentException(
                    "Wait for at least one replica, for at least 1 ms. Without this setting none is waited for.");
        }
        replicas = new ReplicaWait(count, within, false);
        return this;
    }

    /**
     * Demands that every change is in the append-only file on the disk of the server, and of this many replicas, before it is acknowledged
     * ({@code WAITAOF}). With {@code appendfsync everysec} a change is then acknowledged after up to a second, and a crash of the server forgets
     * nothing that was acknowledged. Where it is not there in time, the outcome is unknown and the batch is asked again. Needs Redis 7.2 or Valkey. Not on a
     * Cluster.
     *
     * @param count number of replicas; 0 for the server alone
     * @param within how long to wait, less than the timeout
     */
    public RedisStoreBuilder waitForSync(int count, Duration within) {
        if (count < 0 || within.toMillis() < 1) {
            throw new IllegalArgumentException("Wait for zero or more replicas, for at least 1 ms.");
        }
        replicas = new ReplicaWait(count, within, true);
        return this;
    }

    /** Sets which certificates are trusted and shown on connections with TLS ({@code rediss://}). Default: those of the JVM. */
    public RedisStoreBuilder certificates(SslOptions options) {
        certificates = options;
        return this;
    }

    /**
     * Accepts a server whose {@code maxmemory-policy} is not {@code noeviction}. Such a server deletes records when its memory is full, finished
     * and running ones, and their requests run again.
     */
    public RedisStoreBuilder allowEviction(boolean allowed) {
        evictionAllowed = allowed;
        return this;
    }

    /**
     * Connects and opens the store.
     *
     * @throws StoreException if the server is not reachable, read-only, too old, or evicts keys
     */
    public RedisStore build() {
        if (replicas.timeout().compareTo(timeout) >= 0) {
            throw new IllegalArgumentException("The wait for " + replicas.whom() + " ("
                    + replicas.timeout().toMillis() + " ms) must be shorter than the timeout (" + timeout.toMillis()
                    + " ms).");
        }
        RedisUrl.within(uris, timeout);
        var link = link();
        try {
            var server = ServerCheck.read(link);
            requireWaitSupported(server);
            server.refuseUnfit();
            if (!evictionAllowed) {
                server.refuseEviction();
            }
            server.warnings(replicas).forEach(warning -> LOG.log(System.Logger.Level.WARNING, warning));
            var traits = new StoreTraits(
                    server.name(),
                    false,
                    server.isDurable(replicas),
                    StoreClock.STORE,
                    new StoreLimits(BATCH_ROWS, 1, PAYLOAD_BYTES));
            return new RedisStore(traits, link, new RedisKeys(prefix), timeout, replicas, evictionAllowed);
        } catch (RedisException e) {
            link.close();
            throw notReachable(e);
        } catch (StoreException e) {
            link.close();
            throw e;
        }
    }

    /** Returns the client of the first server that answers, or of the Cluster that it belongs to. */
    private RedisLink link() {
        RedisException failure = null;
        for (var uri : uris) {
            var link = RedisLink.single(uri, timeout, certificates);
            try {
                if (!ServerCheck.read(link).isCluster()) {
                    requireOne(link);
                    return link;
                }
                link.close();
                return RedisLink.cluster(uris, timeout, certificates);
            } catch (RedisException e) {
                link.close();
                failure = e;
            } catch (StoreException e) {
                link.close();
                throw e;
            }
        }
        throw notReachable(failure);
    }

    private StoreException notReachable(@Nullable RedisException failure) {
        return RedisErrors.notConnected(
                "Opening the store", RedisLink.address(uris), failure == null ? new IllegalStateException() : failure);
    }

    private void requireOne(RedisLink server) {
        if (uris.size() > 1) {
            throw StoreException.permanent(
                    server.address()
                            + " is no node of a Redis Cluster, but several servers are named. Name one, or its Sentinels (redis-sentinel://).",
                    Effect.NONE,
                    null);
        }
    }

    private void requireWaitSupported(ServerCheck server) {
        if (server.isCluster() && replicas.isOn()) {
            throw StoreException.permanent(
                    "Waiting for " + replicas.whom()
                            + " is not supported on a Redis Cluster. Leave the setting out, and set"
                            + " min-replicas-to-write on the servers.",
                    Effect.NONE,
                    null);
        }
        if (replicas.synced()) {
            server.refuseWithoutSyncWait();
        }
    }
}
