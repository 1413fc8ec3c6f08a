package dev.refrain.spring;

import io.lettuce.core.RedisURI;
import java.util.List;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.beans.DirectFieldAccessor;
import org.springframework.data.redis.connection.RedisConfiguration;
import org.springframework.data.redis.connection.RedisPassword;
import org.springframework.data.redis.connection.RedisSentinelConfiguration;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.connection.lettuce.RedisCredentialsProviderFactory;

/** Address of the server, or of the nodes of a Cluster, that a connection factory connects to. */
final class RedisFactoryAddress {

    private static final String CONFIGURATION = "configuration";

    private RedisFactoryAddress() {}

    /** @throws IllegalArgumentException if the store cannot connect in this way */
    static List<RedisURI> of(LettuceConnectionFactory factory) {
        var client = factory.getClientConfiguration();
        return places(factory).stream()
                .map(place -> {
                    var uri = place.withSsl(client.isUseSsl())
                            .withStartTls(client.isStartTls())
                            .build();
                    uri.setVerifyPeer(client.getVerifyMode());
                    client.getRedisCredentialsProviderFactory()
                            .ifPresent(logins -> login(uri, logins, configuration(factory)));
                    return uri;
                })
                .toList();
    }

    /** Has the application's own source of logins asked with each connection, such as one of tokens that expire. */
    private static void login(RedisURI uri, RedisCredentialsProviderFactory logins, @Nullable Object configuration) {
        if (configuration instanceof RedisConfiguration of) {
            uri.setCredentialsProvider(logins.createCredentialsProvider(of));
        }
        if (configuration instanceof RedisSentinelConfiguration sentinels) {
            uri.getSentinels()
                    .forEach(sentinel ->
                            sentinel.setCredentialsProvider(logins.createSentinelCredentialsProvider(sentinels)));
        }
    }

    private static List<RedisURI.Builder> places(LettuceConnectionFactory factory) {
        var sentinel = factory.getSentinelConfiguration();
        var cluster = factory.getClusterConfiguration();
        if (sentinel != null) {
            return List.of(behindSentinels(sentinel));
        }
        if (cluster != null) {
            return StreamSupport.stream(cluster.getClusterNodes().spliterator(), false)
                    .map(node -> login(
                            RedisURI.builder()
                                    .withHost(String.valueOf(node.getHost()))
                                    .withPort(port(node.getPort())),
                            cluster))
                    .toList();
        }
        if (factory.getSocketConfiguration() != null) {
            throw new IllegalArgumentException("the store does not connect by a Unix socket. Name a host.");
        }
        return List.of(single(configuration(factory)));
    }

    private static RedisURI.Builder single(@Nullable Object configuration) {
        if (!(configuration instanceof RedisStandaloneConfiguration single)) {
            throw new IllegalArgumentException(
                    "the store connects to one server, to the master behind Sentinels or to a Cluster, but this is a "
                            + (configuration == null
                                    ? "connection factory whose address cannot be read"
                                    : configuration.getClass().getSimpleName())
                            + ". Set refrain.store.url=redis://HOST:PORT to the master's address.");
        }
        return login(
                RedisURI.builder()
                        .withHost(single.getHostName())
                        .withPort(single.getPort())
                        .withDatabase(single.getDatabase()),
                single);
    }

    /**
     * Returns where the factory connects to. Its getter answers {@code localhost} for every configuration that it does not know, such as static
     * masters and replicas, and keys would be stored there.
     */
    private static @Nullable Object configuration(LettuceConnectionFactory factory) {
        var target = AopProxyUtils.getSingletonTarget(factory);
        var fields = new DirectFieldAccessor(target == null ? factory : target);
        return fields.isReadableProperty(CONFIGURATION) ? fields.getPropertyValue(CONFIGURATION) : null;
    }

    private static RedisURI.Builder behindSentinels(RedisSentinelConfiguration sentinel) {
        var master = sentinel.getMaster();
        var builder = RedisURI.builder()
                .withSentinelMasterId(master == null ? "" : String.valueOf(master.getName()))
                .withDatabase(sentinel.getDatabase());
        String password = text(sentinel.getSentinelPassword());
        for (var node : sentinel.getSentinels()) {
            String host = String.valueOf(node.getHost());
            if (password.isEmpty()) {
                builder.withSentinel(host, port(node.getPort()));
            } else {
                builder.withSentinel(host, port(node.getPort()), password);
            }
        }
        return login(builder, sentinel);
    }

    private static RedisURI.Builder login(RedisURI.Builder builder, RedisConfiguration.WithAuthentication with) {
        String password = text(with.getPassword());
        String user = with.getUsername();
        if (password.isEmpty()) {
            return builder;
        }
        return user == null || user.isEmpty()
                ? builder.withPassword(password.toCharArray())
                : builder.withAuthentication(user, password.toCharArray());
    }

    private static String text(RedisPassword password) {
        return password.toOptional().map(String::new).orElse("");
    }

    private static int port(@Nullable Integer port) {
        return port == null ? RedisURI.DEFAULT_REDIS_PORT : port;
    }
}
