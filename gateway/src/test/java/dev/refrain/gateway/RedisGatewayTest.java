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
import dev.refrain.servers.RedisServer;
import dev.refrain.store.MissingAbilityException;
import dev.refrain.store.StoreException;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The gateway with its keys in Redis, which only its URL says. */
class RedisGatewayTest {

    private static RedisServer server;

    @BeforeAll
    static void startServer() {
        server = RedisServer.start();
    }

    @AfterAll
    static void stopServer() {
        server.close();
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
