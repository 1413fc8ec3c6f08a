package dev.refrain.gateway;

import static dev.refrain.gateway.GatewayUnderTest.pay;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.refrain.console.PasswordHash;
import dev.refrain.gateway.internal.config.CommandLineOverrides;
import dev.refrain.gateway.internal.config.GatewayConfigException;
import dev.refrain.gateway.internal.config.GatewayConfigReader;
import dev.refrain.http.cases.RawHttpConnection;
import dev.refrain.http.cases.RawHttpResponse;
import dev.refrain.servers.KillableServer;
import dev.refrain.servers.RedisServer;
import dev.refrain.store.MissingAbilityException;
import dev.refrain.store.StoreException;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The gateway with its keys in Redis, which only its URL says. */
class RedisGatewayTest extends SharedDatabaseGatewayContract {

    /** Without a password, which a gateway does not take in a URL; a prefix stands for a database. */
    private record PrefixedRedis(RedisServer redis) implements KillableServer {

        static PrefixedRedis start() {
            return new PrefixedRedis(RedisServer.start(Map.of("requirepass", "")));
        }

        @Override
        public String freshDatabase() {
            return "redis://127.0.0.1:" + redis.port() + "?key-prefix=" + UUID.randomUUID();
        }

        @Override
        public void killHard() {
            redis.killHard();
        }

        @Override
        public void restart() {
            redis.restart();
        }

        @Override
        public void close() {
            redis.close();
        }
    }

    private static PrefixedRedis open;

    private static RedisServer server;

    @BeforeAll
    static void startServer() {
        server = RedisServer.start();
        open = PrefixedRedis.start();
    }

    @AfterAll
    static void stopServer() {
        open.close();
        server.close();
    }

    @Override
    KillableServer sharedServer() {
        return open;
    }

    @Override
    KillableServer ownServer() {
        return PrefixedRedis.start();
    }

    private static Gateway start(String upstream, String url, String yaml) throws Exception {
        var config = new GatewayConfigReader(
                        new CommandLineOverrides(
                                Optional.of(upstream),
                                Optional.of("127.0.0.1:0"),
                                Optional.of("127.0.0.1:0"),
                                Optional.of(url)),
                        Map.of())
                .read(GatewayUnderTest.scoped(yaml));
        return Gateway.start(config, Map.of(Gateway.STORE_PASSWORD, server.password()), line -> {});
    }

    private static String url() {
        return "redis://127.0.0.1:" + server.port();
    }

    private static RawHttpResponse send(Gateway gateway, String key) throws IOException {
        try (var wire = new RawHttpConnection(gateway.port())) {
            wire.send(pay(key));
            return wire.receive();
        }
    }

    @Test
    void retryIsReplayedByAnotherGateway() throws Exception {
        try (var upstream = new RawUpstream(RawUpstream.answering(201, "made"));
                var one = start(upstream.address(), url(), "");
                var other = start(upstream.address(), url() + "?timeout=2s", "")) {
            assertThat(send(one, "key-1-of-payments").body()).isEqualTo("made");
            assertThat(send(other, "key-1-of-payments").body()).isEqualTo("made");
            assertThat(upstream.posts()).hasSize(1);
        }
    }

    @Test
    void keyPrefixOfTheUrlSeparatesGatewaysOnOneServer() throws Exception {
        try (var upstream = new RawUpstream(RawUpstream.answering(201, "made"));
                var one = start(upstream.address(), url() + "?key-prefix=one", "");
                var other = start(upstream.address(), url() + "?key-prefix=other", "")) {
            send(one, "key-2-of-payments");
            send(other, "key-2-of-payments");
            assertThat(upstream.posts()).hasSize(2);
        }
    }

    @Test
    void consoleIsRefusedAtStartWithTheMissingAbility() {
        String console = "gateway:\n  console:\n    listen: 127.0.0.1:0\n    password-hash: '"
                + PasswordHash.of("correct horse battery".toCharArray()).text() + "'\n";

        assertThatThrownBy(() -> start("http://127.0.0.1:1", url(), console))
                .isInstanceOf(MissingAbilityException.class)
                .hasMessageContaining("gateway.console")
                .hasMessageContaining("\"browsing\"")
                .hasMessageContaining("Redis 7");
    }

    @Test
    void routeThatDemandsACorrectStoreIsRefusedAtStart() {
        assertThatThrownBy(() -> start(
                        "http://127.0.0.1:1",
                        url(),
                        "refrain: {routes: {pay: {match: POST /payments, require-correct-store: true}}}"))
                .isInstanceOf(GatewayConfigException.class)
                .hasMessageContaining("POST /payments demands a correct store (requireCorrectStore), but Redis 7");
        assertThatThrownBy(() -> start("http://127.0.0.1:1", url(), "refrain: {http: {require-correct-store: true}}"))
                .isInstanceOf(GatewayConfigException.class)
                .hasMessageContaining("demands a correct store");
    }

    @Test
    void passwordInTheUrlIsRefusedWithoutRepeatingIt() {
        assertThatThrownBy(() -> start("http://127.0.0.1:1", server.url(), ""))
                .isInstanceOf(GatewayConfigException.class)
                .hasMessageContaining("REFRAIN_STORE_PASSWORD")
                .hasMessageNotContaining(server.password());
    }

    @Test
    void unknownParameterAndSchemaAreRefusedInASentence() {
        assertThatThrownBy(() -> start("http://127.0.0.1:1", url() + "?keyprefix=one", ""))
                .isInstanceOf(GatewayConfigException.class)
                .hasMessageContaining("refrain.store: The URL of the Redis store has the parameter 'keyprefix'")
                .hasMessageContaining("key-prefix");
        assertThatThrownBy(() -> start("http://127.0.0.1:1", url(), "refrain: {store: {schema: keys}}"))
                .isInstanceOf(GatewayConfigException.class)
                .hasMessageContaining("Redis has no schemas");
    }

    @Test
    void unreachableServerIsToldWithItsAddress() {
        assertThatThrownBy(() -> start("http://127.0.0.1:1", "redis://127.0.0.1:1", ""))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("Redis at 127.0.0.1:1 is not reachable");
    }
}
