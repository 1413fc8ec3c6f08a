package dev.refrain.store.redis;

import io.lettuce.core.AbstractRedisClient;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.SslOptions;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.cluster.ClusterClientOptions;
import io.lettuce.core.cluster.ClusterTopologyRefreshOptions;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
import io.lettuce.core.cluster.models.partitions.RedisClusterNode;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.protocol.AsyncCommand;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.DefaultClientResources;
import io.lettuce.core.resource.Delay;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Client of one server, of a master behind Sentinels, or of a Cluster, and its connections.
 *
 * <p>A connection that is lost is not opened again by the client library: before version 6.7 that sends again what the lost one had sent, and a late copy of a
 * claim could take a key that nobody runs. The one connection to a whole Cluster is; it is for what may be sent twice.
 */
final class RedisLink implements AutoCloseable {

    private static final Duration RECONNECT_EVERY = Duration.ofMillis(100);
    private static final int THREADS = 2;
    private static final Duration REFRESH_EVERY = Duration.ofSeconds(10);
    private static final Duration REFRESH_AT_MOST_EVERY = Duration.ofSeconds(1);
    private static final int RECONNECTS_BEFORE_REFRESH = 3;

    private final ClientResources resources;
    private final AbstractRedisClient client;
    private final RedisClient servers;
    private final List<RedisURI> uris;
    private final Duration timeout;
    private final Optional<ClusterTopology> topology;

    private RedisLink(
            ClientResources resources,
            AbstractRedisClient client,
            RedisClient servers,
            List<RedisURI> uris,
            Duration timeout) {
        this.resources = resources;
        this.client = client;
        this.servers = servers;
        this.uris = uris;
        this.timeout = timeout;
        this.topology = client instanceof RedisClusterClient cluster
                ? Optional.of(new ClusterTopology(cluster, uris.getFirst()))
                : Optional.empty();
    }

    /** Creates the client of one server, or of the master that Sentinels name. */
    static RedisLink single(RedisURI uri, Duration timeout, SslOptions certificates) {
        var resources = resources();
        var client = servers(resources, timeout, certificates);
        return new RedisLink(resources, client, client, List.of(uri), timeout);
    }

    private static RedisClient servers(ClientResources resources, Duration timeout, SslOptions certificates) {
        var client = RedisClient.create(resources);
        client.setOptions(common(ClientOptions.builder(), timeout, certificates)
                .autoReconnect(false)
                .build());
        return client;
    }

    /**
     * Creates the client of a Cluster. It reads anew which server has which keys as soon as one answers that it has not, or stays away: a replica that was
     * promoted is found then.
     *
     * @param seeds nodes of which one must be there at first
     */
    @SuppressWarnings(
            "deprecation") // Lettuce 7 has all triggers unless told otherwise; 6, that of Spring Boot 3.5, has none.
    static RedisLink cluster(List<RedisURI> seeds, Duration timeout, SslOptions certificates) {
        var resources = resources();
        var client = RedisClusterClient.create(resources, seeds);
        var options = ClusterClientOptions.builder();
        common(options, timeout, certificates);
        client.setOptions(options.topologyRefreshOptions(ClusterTopologyRefreshOptions.builder()
                        .enablePeriodicRefresh(REFRESH_EVERY)
                        .enableAllAdaptiveRefreshTriggers()
                        .adaptiveRefreshTriggersTimeout(REFRESH_AT_MOST_EVERY)
                        .refreshTriggersReconnectAttempts(RECONNECTS_BEFORE_REFRESH)
                        .build())
                .build());
        return new RedisLink(resources, client, servers(resources, timeout, certificates), seeds, timeout);
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
                .disconnectedBehavior(ClientOptions.DisconnectedBehavior.REJECT_COMMANDS)
                .socketOptions(SocketOptions.builder()
                        .connectTimeout(timeout)
                        .keepAlive(true)
                        .build());
    }

    StatefulConnection<byte[], byte[]> connect() {
        return switch (client) {
            case RedisClient single -> single.connect(ByteArrayCodec.INSTANCE, uris.getFirst());
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
        var masters = masters(connection)
                .map(node -> connection.getConnectionAsync(
                        node.getUri().getHost(), node.getUri().getPort()))
                .toArray(CompletableFuture<?>[]::new);
        var unused = CompletableFuture.allOf(masters)
                .exceptionally(down -> null)
                .completeOnTimeout(null, timeout.toMillis(), TimeUnit.MILLISECONDS)
                .join();
        return connection;
    }

    /** Returns the nodes that have keys: one without is a master that was replaced, or a replica that is not yet known as one. */
    static Stream<RedisClusterNode> masters(StatefulRedisClusterConnection<byte[], byte[]> connection) {
        return connection.getPartitions().stream()
                .filter(node -> node.getRole().isUpstream() && !node.getSlots().isEmpty());
    }

    /**
     * Hands commands over for sending, on one server all at once. On a Cluster each alone: in a list, one node that is down would fail the commands of
     * all others, and would be waited for.
     *
     * @throws RedisException if they could not be handed over, all or some of them
     */
    void dispatch(StatefulConnection<byte[], byte[]> open, List<AsyncCommand<byte[], byte[], ?>> commands) {
        if (!isCluster()) {
            var unused = open.dispatch(commands);
            return;
        }
        for (var command : commands) {
            try {
                var unused = open.dispatch(command);
            } catch (RedisException e) {
                command.completeExceptionally(e);
            }
        }
    }

    boolean isCluster() {
        return client instanceof RedisClusterClient;
    }

    /** Begins to open a connection to one server. */
    CompletableFuture<StatefulRedisConnection<byte[], byte[]>> connectTo(RedisURI server) {
        try {
            return servers.connectAsync(ByteArrayCodec.INSTANCE, server).toCompletableFuture();
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    /**
     * Returns the server that has a key: the only one, or the master of a Cluster.
     *
     * @throws RedisException if no master is known for it
     */
    RedisURI serverOf(byte[] key) {
        return topology.map(known -> known.serverOf(key)).orElseGet(uris::getFirst);
    }

    /** Returns a node of the Cluster by the place that another one names. */
    RedisURI serverAt(String host, int port) {
        return topology.orElseThrow(() -> new IllegalStateException("Not a Cluster: " + address()))
                .at(host, port);
    }

    /** Has a Cluster asked anew which master has which keys; Sentinels are asked with each connection anyway. */
    void findServersAgain() {
        topology.ifPresent(ClusterTopology::readAgain);
    }

    /** Returns where the server is, without its password. */
    String address() {
        return address(uris);
    }

    static String address(RedisURI server) {
        return address(List.of(server));
    }

    static String address(List<RedisURI> uris) {
        var first = uris.getFirst();
        return "Redis at "
                + (first.getSentinels().isEmpty()
                        ? addresses(uris)
                        : "Sentinel " + addresses(first.getSentinels()) + ", master " + first.getSentinelMasterId());
    }

    private static String addresses(List<RedisURI> uris) {
        return String.join(
                ",", uris.stream().map(s -> s.getHost() + ":" + s.getPort()).toList());
    }

    @Override
    public void close() {
        servers.shutdown(0, 1, TimeUnit.SECONDS);
        if (isCluster()) {
            client.shutdown(0, 1, TimeUnit.SECONDS);
        }
        var unused = resources.shutdown(0, 1, TimeUnit.SECONDS);
    }
}
