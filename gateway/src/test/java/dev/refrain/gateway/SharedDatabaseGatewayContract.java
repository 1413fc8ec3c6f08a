package dev.refrain.gateway;

import static dev.refrain.gateway.GatewayUnderTest.pay;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.refrain.gateway.internal.config.CommandLineOverrides;
import dev.refrain.gateway.internal.config.GatewayConfigReader;
import dev.refrain.http.cases.RawHttpConnection;
import dev.refrain.http.cases.RawHttpRequest;
import dev.refrain.http.cases.RawHttpResponse;
import dev.refrain.servers.KillableServer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Several gateways on one database server, and one whose store dies. */
abstract class SharedDatabaseGatewayContract {

    /** The server that tests share. */
    abstract KillableServer sharedServer();

    /** One that this test alone kills. */
    abstract KillableServer ownServer();

    private static Gateway start(RawUpstream upstream, String url, String patience) throws Exception {
        var address = new DatabaseAddress(url);
        var config = new GatewayConfigReader(
                        new CommandLineOverrides(
                                Optional.of(upstream.address()),
                                Optional.of("127.0.0.1:0"),
                                Optional.of("127.0.0.1:0"),
                                Optional.of(address.bare())),
                        Map.of())
                .read("gateway: {scope: shared}\nrefrain: {http: {in-flight: wait 30s, store-timeout: " + patience
                        + "}}");
        return Gateway.start(config, address.environment(), line -> {});
    }

    private static RawHttpResponse send(int port, RawHttpRequest request) throws IOException {
        try (var wire = new RawHttpConnection(port)) {
            wire.send(request);
            return wire.receive();
        }
    }

    @Test
    void gatewaysThatRaceSendEachKeyOnce() throws Exception {
        String url = sharedServer().freshDatabase();
        try (var upstream = new RawUpstream(RawUpstream.answering(201, "made"));
                var one = start(upstream, url, "30s");
                var other = start(upstream, url, "30s");
                var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var answers = new ArrayList<Future<RawHttpResponse>>();
            for (int i = 0; i < 25; i++) {
                String key = UUID.randomUUID().toString();
                for (int port : new int[] {one.port(), other.port(), one.port(), other.port()}) {
                    answers.add(threads.submit(() -> send(port, pay(key))));
                }
            }
            for (var answer : answers) {
                assertThat(answer.get(60, TimeUnit.SECONDS).body()).isEqualTo("made");
            }
            assertThat(upstream.posts()).hasSize(25);
        }
    }

    @Test
    void withoutItsStoreNothingIsSentAndWithItAllIsWellAgain() throws Exception {
        try (var server = ownServer();
                var upstream = new RawUpstream(RawUpstream.answering(201, "made"));
                var gateway = start(upstream, server.freshDatabase(), "4s")) {
            assertThat(send(gateway.port(), pay("before")).status()).isEqualTo(201);
            server.killHard();

            var refused = send(gateway.port(), pay("meanwhile"));

            assertThat(refused.status()).isEqualTo(503);
            assertThat(refused.body()).contains("store-unavailable", "\"retryable\":true");
            assertThat(send(
                                    gateway.adminPort().orElseThrow(),
                                    RawHttpRequest.post("/ready").by("GET"))
                            .status())
                    .isEqualTo(503);
            assertThat(upstream.posts()).hasSize(1);
            server.restart();
            await().until(() -> send(gateway.port(), pay("meanwhile")).status() == 201);
            assertThat(send(gateway.port(), pay("before")).replayed()).isTrue();
            assertThat(upstream.posts()).hasSize(2);
        }
    }
}
