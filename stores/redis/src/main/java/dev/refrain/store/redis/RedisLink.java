package dev.refrain.store.redis;

import io.lettuce.core.AbstractRedisClient;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.SslOptions;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.cluster.ClusterClientOptions;
import io.lettuce.core.cluster.ClusterTopologyRefreshOptions;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.DefaultClientResources;
import io.lettuce.core.resource.Delay;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * Client of one server, of a master behind Sentinels, or of a Cluster, and its connections.
 *
 * <p>A connection that is lost is opened again in the background; what was sent by the lost one is never sent again by itself, because a late copy
 * of a claim could take a key that nobody runs.
 */
final class RedisLink implements AutoCloseable {

    private static final Duration RECONNECT_EVERY = Duration.ofMillis(100);
    private static final int THREADS = 2;
    private static final Duration REFRESH_EVERY = Duration.ofSeconds(10);

    private final ClientResources resources;
    private final AbstractRedisClient client;
    private final RedisURI uri;
    private final Duration timeout;

    private RedisLink(ClientResources resources, AbstractRedisClient client, RedisURI uri, Duration timeout) {
        this.resources = resources;
        this.client = client;
        this.uri = uri;
        this.timeout = timeout;
    }

    /** Creates the client of one server, or of the master that Sentinels name. */
    static RedisLink single(RedisURI uri, Duration timeout, SslOptions certificates) {
        var resources = resources();
        var client = RedisClient.create(resources, uri);
        client.setOptions(common(ClientOptions.builder(), timeout, certificates).build());
        return new RedisLink(resources, client, uri, timeout);
    }

    static RedisLink cluster(RedisURI uri, Duration timeout, SslOptions certificates) {
        var resources = resources();
        var client = RedisClusterClient.create(resources, uri);
        var options = ClusterClientOptions.builder();
        common(options, timeout, certificates);
        client.setOptions(options.topologyRefreshOptions(ClusterTopologyRefreshOptions.builder()
                        .enablePeriodicRefresh(REFRESH_EVERY)
                        .build())
                .build());
        return new RedisLink(resources, client, uri, timeout);
    }

    private static ClientResources resources() {
        return DefaultClientResources.builder()
                .ioThreadPoolSize(THREADS)
                .computationThreadPoolSize(THREADS)
                .reconnectDelay(Delay.constant(RECONNECT_EVERY))
                .build();
    }

    private static ClientOptions.Builder common(
            ClientOptions.Builder options, Duration timeout, SslOptions certificates) {
        return options.sslOptions(certificates)
                .autoReconnect(true)
                .replayFilter(command -> true)
                .disconnectedBehavior(ClientOptions.DisconnectedBehavior.REJECT_COMMANDS)
                .socketOptions(SocketOptions.builder()
                        .connectTimeout(timeout)
                        .keepAlive(true)
                        .build());
    }

    StatefulConnection<byte[], byte[]> connect() {
        return switch (client) {
            case RedisClient single -> single.connect(ByteArrayCodec.INSTANCE);
            case RedisClusterClient cluster -> connectToMasters(cluster);
            default -> throw new IllegalStateException("No such client: " + client);
        };
    }

    /**
     * Opens the connections to all masters too, of which each would otherwise be opened by the first command for it, and reject that command
     * meanwhile. One that is down fails its own commands.
     */
    private StatefulConnection<byte[], byte[]> connectToMasters(RedisClusterClient cluster) {
        var connection = cluster.connect(ByteArrayCodec.INSTANCE);
        var masters = connection.getPartitions().stream()
                .filter(node -> node.getRole().isUpstream())
                .map(node -> connection.getConnectionAsync(
                        node.getUri().getHost(), node.getUri().getPort()))
                .toArray(CompletableFuture<?>[]::new);
        var unused = CompletableFuture.allOf(masters)
                .exceptionally(down -> null)
                .completeOnTimeout(null, timeout.toMillis(), TimeUnit.MILLISECONDS)
                .join();
        return connection;
    }

    boolean isCluster() {
        return client instanceof RedisClusterClient;
    }

    /** Returns where the server is, without its password. */
    String address() {
        var sentinels = uri.getSentinels();
        return "Redis at "
                + (sentinels.isEmpty()
                        ? uri.getHost() + ":" + uri.getPort()
                        : "Sentinel " + addresses(sentinels) + ", master " + uri.getSentinelMasterId());
    }

    private static String addresses(List<RedisURI> sentinels) {
        return String.join(
                ",",
                sentinels.stream().map(s -> s.getHost() + ":" + s.getPort()).toList());
    }

    @Override
    public void close() {
        client.shutdown(0, 1, TimeUnit.SECONDS);
        var unused = resources.shutdown(0, 1, TimeUnit.SECONDS);
    }
}
