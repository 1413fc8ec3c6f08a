package dev.refrain.gateway;

import static dev.refrain.gateway.GatewayUnderTest.pay;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.refrain.gateway.internal.config.CommandLineOverrides;
import dev.refrain.gateway.internal.config.GatewayConfig;
import dev.refrain.gateway.internal.config.GatewayConfigException;
import dev.refrain.gateway.internal.config.GatewayConfigReader;
import dev.refrain.http.cases.RawHttpConnection;
import dev.refrain.http.cases.RawHttpResponse;
import dev.refrain.servers.RedisServer;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The gateway with its keys in a database and a Redis in front of it that replays. */
class ReplayingGatewayTest {

    private static final String PARAMETERS = "?key-prefix=keys&timeout=60s";
    private static final String NO_LOCAL_CACHE = "refrain:\n  cache: {max-bytes: 0}\n";

    private static RedisServer server;

    @TempDir
    Path directory;

    @BeforeAll
    static void startServer() {
        server = RedisServer.start();
    }

    @AfterAll
    static void stopServer() {
        server.close();
    }

    private GatewayConfig config(
            String upstream, Optional<String> option, Map<String, String> environment, String yaml) {
        return new GatewayConfigReader(
                        new CommandLineOverrides(
                                Optional.of(upstream),
                                Optional.of("127.0.0.1:0"),
                                Optional.of("127.0.0.1:0"),
                                Optional.of("jdbc:sqlite:" + directory.resolve("keys.db")),
                                option),
                        environment)
                .read(GatewayUnderTest.scoped(yaml));
    }

    private static RawHttpResponse send(Gateway gateway, String key) throws IOException {
        try (var wire = new RawHttpConnection(gateway.port())) {
            wire.send(pay(key));
            return wire.receive();
        }
    }

    @Test
    void answerIsPromotedAndReplayedAndRunsOnce() throws Exception {
        var environment = Map.of("REFRAIN_STORE_REPLAY_FROM", server.url() + PARAMETERS);
        try (var upstream = new RawUpstream(RawUpstream.answering(201, "made"))) {
            var config = config(upstream.address(), Optional.empty(), environment, NO_LOCAL_CACHE);
            assertThat(config.startup().store().toString())
                    .endsWith(", with replays from redis://127.0.0.1:" + server.port());
            try (var gateway = Gateway.start(config, environment, line -> {})) {
                await().atMost(Duration.ofMinutes(1)).until(() -> {
                    assertThat(send(gateway, "key-1-of-payments").body()).isEqualTo("made");
                    return server.command("EVAL", "return #redis.call('KEYS', 'keys:replay:*')", "0")
                            .equals(":1");
                });
                assertThat(send(gateway, "key-1-of-payments").body()).isEqualTo("made");
                assertThat(upstream.posts()).hasSize(1);
            }
        }
    }

    @Test
    void redisThatIsAwayHoldsUpNeitherTheStartNorARequest() throws Exception {
        try (var upstream = new RawUpstream(RawUpstream.answering(201, "made"));
                var gateway = Gateway.start(
                        config(
                                upstream.address(),
                                Optional.of("redis://127.0.0.1:1" + PARAMETERS),
                                Map.of(),
                                NO_LOCAL_CACHE),
                        Map.of(),
                        line -> {})) {
            send(gateway, "key-2-of-payments");
            assertThat(send(gateway, "key-2-of-payments").body()).isEqualTo("made");
            assertThat(upstream.posts()).hasSize(1);
        }
    }

    @Test
    void secretInTheOptionOrTheFileIsRefusedWithTheVariableToUse() {
        String url = "redis://127.0.0.1:1?key-prefix=keys&secret=0123456789abcdef0123456789abcdef";

        assertThatThrownBy(() -> config("http://127.0.0.1:1", Optional.of(url), Map.of(), ""))
                .isInstanceOf(GatewayConfigException.class)
                .hasMessageContaining("refrain.store.replay-from")
                .hasMessageContaining("REFRAIN_STORE_REPLAY_FROM")
                .hasMessageNotContaining("0123456789");
        assertThatThrownBy(() -> config(
                        "http://127.0.0.1:1",
                        Optional.empty(),
                        Map.of(),
                        "refrain: {store: {replay-from: '" + url + "'}}"))
                .isInstanceOf(GatewayConfigException.class)
                .hasMessageContaining("REFRAIN_STORE_REPLAY_FROM");
    }

    @Test
    void urlThatCannotReplayIsRefusedInASentence() {
        for (var wrong : Map.of(
                        "redis://127.0.0.1:1",
                                "refrain.store.replay-from: The URL of the replay cache has no key-prefix",
                        "jdbc:sqlite:other.db", "refrain.store.replay-from: A store of this kind",
                        "memcached://cache", "refrain.store.replay-from is 'memcached://cache'")
                .entrySet()) {
            assertThatThrownBy(() -> Gateway.start(
                                    config("http://127.0.0.1:1", Optional.of(wrong.getKey()), Map.of(), ""),
                                    Map.of(),
                                    line -> {})
                            .close())
                    .isInstanceOf(GatewayConfigException.class)
                    .hasMessageContaining(wrong.getValue());
        }
    }
}
