package dev.refrain.gateway;

import static dev.refrain.gateway.GatewayUnderTest.route;
import static org.assertj.core.api.Assertions.assertThat;

import dev.refrain.http.cases.CapturedWarningLines;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Large heads of responses are passed on and replayed whole, and the connection closes after them if the client asked for that. */
class LargeResponseHeadTest {

    private static final int LIMIT = 60 << 10;

    private final String key = UUID.randomUUID().toString();

    @ParameterizedTest
    @ValueSource(ints = {9_000, 17_000, 40_000, LIMIT})
    void firstResponseAndReplayAreWholeAndTheConnectionCloses(int bytes) throws Exception {
        String large = "x".repeat(bytes - head("").length());
        try (var upstream = new RawUpstream((request, socket) -> RawUpstream.write(socket, head(large) + "made"));
                var gateway = new GatewayUnderTest(upstream.address(), route())) {
            String first = payAndReadToTheEnd(gateway);
            String replay = payAndReadToTheEnd(gateway);

            assertThat(first)
                    .startsWith("HTTP/1.1 201 ")
                    .contains("X-Large: " + large + "\r\n")
                    .endsWith("\r\n\r\nmade");
            assertThat(replay)
                    .startsWith("HTTP/1.1 201 ")
                    .contains("X-Large: " + large + "\r\n", "Idempotent-Replayed: true")
                    .endsWith("\r\n\r\nmade");
            assertThat(upstream.posts()).hasSize(1);
        }
    }

    @Test
    void maxHeaderRaisesTheLimit() throws Exception {
        String large = "x".repeat(90_000);
        try (var upstream = new RawUpstream((request, socket) -> RawUpstream.write(socket, head(large) + "made"));
                var gateway = new GatewayUnderTest(upstream.address(), "gateway: {max-header: 100KB}\n" + route())) {
            assertThat(payAndReadToTheEnd(gateway)).startsWith("HTTP/1.1 201 ").contains(large);
            assertThat(payAndReadToTheEnd(gateway)).contains(large, "Idempotent-Replayed: true");
        }
    }

    /** The status is an error because of an assertion in Jetty, enabled in tests, which hides the message at others. */
    @Test
    void beyondTheLimitTheLogNamesTheCauseAndTheSetting() throws Exception {
        String large = "x".repeat(LIMIT + 1);
        try (var log = new CapturedWarningLines(ForwardingLog.class.getName());
                var upstream = new RawUpstream((request, socket) ->
                        RawUpstream.write(socket, head(large).replace("201 Created", "503 Busy") + "made"));
                var gateway = new GatewayUnderTest(upstream.address(), route())) {
            assertThat(payAndReadToTheEnd(gateway)).startsWith("HTTP/1.1 409 ");
            assertThat(log.lines().getFirst())
                    .contains("the head of the response is larger than the gateway accepts", "gateway.max-header");
        }
    }

    private static String head(String large) {
        return "HTTP/1.1 201 Created\r\nX-Large: " + large + "\r\nContent-Length: 4\r\n\r\n";
    }

    /** Reads until the gateway closes the connection; fails if it stays open. */
    private String payAndReadToTheEnd(GatewayUnderTest gateway) throws IOException {
        try (var socket =
                new Socket(InetAddress.getLoopbackAddress(), gateway.server().port())) {
            socket.setSoTimeout(20_000);
            RawUpstream.write(
                    socket,
                    "POST /pay HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nIdempotency-Key: " + key
                            + "\r\nContent-Length: 2\r\n\r\n{}");
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
        }
    }
}
