package dev.refrain.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.refrain.store.redis.RedisStore;
import io.lettuce.core.RedisCredentialsProvider;
import io.lettuce.core.StaticCredentialsProvider;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.data.redis.connection.RedisClusterConfiguration;
import org.springframework.data.redis.connection.RedisConfiguration;
import org.springframework.data.redis.connection.RedisSentinelConfiguration;
import org.springframework.data.redis.connection.RedisSocketConfiguration;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.RedisStaticMasterReplicaConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.connection.lettuce.RedisCredentialsProviderFactory;

/** Tests that the store connects to the server of a connection factory. */
class RedisFactoryAddressTest {

    @Test
    void serverWithUserDatabaseAndTlsIsFound() {
        var where = new RedisStandaloneConfiguration("cache", 6380);
        where.setUsername("keys");
        where.setPassword("secret");
        where.setDatabase(3);
        var factory = new LettuceConnectionFactory(
                where, LettuceClientConfiguration.builder().useSsl().build());

        var uri = RedisFactoryAddress.of(factory).getFirst();

        assertThat(uri.getHost()).isEqualTo("cache");
        assertThat(uri.getPort()).isEqualTo(6380);
        assertThat(uri.getDatabase()).isEqualTo(3);
        assertThat(uri.isSsl()).isTrue();
        var login = uri.getCredentialsProvider().resolveCredentials().block();
        assertThat(login).isNotNull();
        assertThat(login.getUsername()).isEqualTo("keys");
        assertThat(login.getPassword()).containsExactly("secret".toCharArray());
    }

    @Test
    void masterBehindSentinelsIsFound() {
        var where = new RedisSentinelConfiguration("keys", Set.of("one:26379", "two:26380"));

        var uri = RedisFactoryAddress.of(new LettuceConnectionFactory(where)).getFirst();

        assertThat(uri.getSentinelMasterId()).isEqualTo("keys");
        assertThat(uri.getSentinels())
                .extracting(sentinel -> sentinel.getHost() + ":" + sentinel.getPort())
                .containsExactlyInAnyOrder("one:26379", "two:26380");
        assertThatCode(() -> RedisStore.builder(uri)).doesNotThrowAnyException();
    }

    @Test
    void clusterIsFoundByAnyOfItsNodes() {
        var where = new RedisClusterConfiguration(Set.of("one:7000", "two:7001"));
        where.setPassword("secret");

        var uris = RedisFactoryAddress.of(new LettuceConnectionFactory(where));

        assertThat(uris)
                .extracting(uri -> uri.getHost() + ":" + uri.getPort())
                .containsExactlyInAnyOrder("one:7000", "two:7001");
        assertThat(uris)
                .allSatisfy(uri -> assertThat(uri.getCredentialsProvider()
                                .resolveCredentials()
                                .block())
                        .isNotNull()
                        .extracting(login -> new String(login.getPassword()))
                        .isEqualTo("secret"));
    }

    @Test
    void serverOfAFactoryThatWasMadeOfAUrlIsFound() {
        var factory = new LettuceConnectionFactory(
                LettuceConnectionFactory.createRedisConfiguration("redis://keys:secret@cache:6380/3"));

        var uri = RedisFactoryAddress.of(factory).getFirst();

        assertThat(uri.getHost()).isEqualTo("cache");
        assertThat(uri.getPort()).isEqualTo(6380);
        assertThat(uri.getDatabase()).isEqualTo(3);
        var login = uri.getCredentialsProvider().resolveCredentials().block();
        assertThat(login).isNotNull();
        assertThat(login.getUsername()).isEqualTo("keys");
    }

    @Test
    void loginComesFromTheApplicationsOwnSource() {
        var token = new StaticCredentialsProvider("keys", "token".toCharArray());
        var factory = new LettuceConnectionFactory(
                new RedisStandaloneConfiguration("cache", 6380),
                LettuceClientConfiguration.builder()
                        .redisCredentialsProviderFactory(new RedisCredentialsProviderFactory() {
                            @Override
                            public RedisCredentialsProvider createCredentialsProvider(RedisConfiguration of) {
                                return token;
                            }
                        })
                        .build());

        assertThat(RedisFactoryAddress.of(factory).getFirst().getCredentialsProvider())
                .isSameAs(token);
    }

    @Test
    void serverOfAProxiedFactoryIsFound() {
        var proxy = new ProxyFactory(new LettuceConnectionFactory("cache", 6380));
        proxy.setProxyTargetClass(true);

        var uri = RedisFactoryAddress.of((LettuceConnectionFactory) proxy.getProxy())
                .getFirst();

        assertThat(uri.getHost()).isEqualTo("cache");
        assertThat(uri.getPort()).isEqualTo(6380);
    }

    @Test
    void staticMasterAndReplicasAreRefusedAndNotTakenForLocalhost() {
        var where = new RedisStaticMasterReplicaConfiguration("master", 6379);
        where.addNode("replica", 6379);
        var factory = new LettuceConnectionFactory(where);

        assertThatThrownBy(() -> RedisFactoryAddress.of(factory))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("RedisStaticMasterReplicaConfiguration")
                .hasMessageContaining("refrain.store.url");
    }

    @Test
    void unixSocketIsRefused() {
        var factory = new LettuceConnectionFactory(new RedisSocketConfiguration("/run/redis.sock"));

        assertThatThrownBy(() -> RedisFactoryAddress.of(factory))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("Unix socket");
    }
}
