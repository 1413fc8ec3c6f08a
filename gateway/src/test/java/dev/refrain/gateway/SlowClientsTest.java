package dev.refrain.gateway;

import static dev.refrain.gateway.GatewayUnderTest.pay;
import static dev.refrain.gateway.GatewayUnderTest.route;
import static org.assertj.core.api.Assertions.assertThat;

import dev.refrain.http.cases.RawHttpRequest;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Clients that send a byte now and then, so that no timeout between bytes ever ends: the whole has its time, too. */
@Execution(ExecutionMode.CONCURRENT)
class SlowClientsTest {

    private static final String CONFIG = "gateway: {client-idle: 60s, client-head: 4s, client-rate: 1KB}\n" + route();
    private static final String HEAD = "POST /pay HTTP/1.1\r\nHost: a\r\nIdempotency-Key: slow\r\n";
    private static final long EVERY_MILLIS = 50;
    /** The last one would come after twenty seconds. */
    private static final int MANY = 400;
    /** Longer than a head may take, which is longer than a machine stands still. */
    private static final long RESTS_MILLIS = 5_000;

    private RawUpstream upstream;
    private GatewayUnderTest gateway;

    @BeforeEach
    void start() throws Exception {
        upstream = new RawUpstream(RawUpstream.answering(201, "made"));
        gateway = new GatewayUnderTest(upstream.address(), CONFIG);
    }

    @AfterEach
    void stop() throws Exception {
        gateway.close();
        upstream.close();
    }

    private Socket connect() throws IOException {
        var socket =
                new Socket(InetAddress.getLoopbackAddress(), gateway.server().port());
        socket.setSoTimeout(60_000);
        socket.setTcpNoDelay(true);
        return socket;
    }

    /** @return what it is told when the gateway has had enough */
    static String trickle(Socket socket, String text) throws Exception {
        var told = new java.util.concurrent.CompletableFuture<String>();
        Thread.startVirtualThread(() -> {
            try {
                told.complete(new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1));
            } catch (IOException reset) {
                told.complete("reset");
            }
        });
        try {
            for (int i = 0; i < text.length() && !told.isDone(); i++) {
                RawUpstream.write(socket, text.substring(i, i + 1));
                Thread.sleep(EVERY_MILLIS);
            }
        } catch (SocketException ended) {
            // That is what is waited for.
        }
        return told.get(60, TimeUnit.SECONDS);
    }

    @Test
    void headThatComesByteByByteIsRefusedWhenItsTimeIsOverAndOthersAreServed() throws Exception {
        try (var socket = connect()) {
            assertThat(trickle(socket, HEAD + "X-Slow: " + "x".repeat(MANY)))
                    .startsWith("HTTP/1.1 408")
                    .contains("application/problem+json");
        }
        assertThat(gateway.send(pay(UUID.randomUUID().toString())).status()).isEqualTo(201);
        assertThat(upstream.posts()).hasSize(1);
        assertThat(gateway.state("slow")).isEmpty();
    }

    @Test
    void slowHeadOfALaterRequestIsRefused() throws Exception {
        try (var socket = connect()) {
            RawUpstream.write(socket, "GET / HTTP/1.1\r\nHost: a\r\n\r\n");
            assertThat(trickle(socket, HEAD + "X-Slow: " + "x".repeat(MANY)))
                    .startsWith("HTTP/1.1 201")
                    .contains("HTTP/1.1 408");
        }
    }

    /** Between two requests a client may rest for longer than a head may take. */
    @Test
    void clientThatRestsIsLeftAlone() throws Exception {
        try (var socket = connect()) {
            Thread.sleep(RESTS_MILLIS);
            RawUpstream.write(socket, "GET /1 HTTP/1.1\r\nHost: a\r\n\r\n");
            assertThat(socket.getInputStream().readNBytes(12)).asString().isEqualTo("HTTP/1.1 201");
            Thread.sleep(RESTS_MILLIS);
            RawUpstream.write(socket, "GET /2 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
            assertThat(socket.getInputStream().readAllBytes()).asString().contains("HTTP/1.1 201");
        }
    }

    @Test
    void bodyThatComesByteByByteIsRefusedAndClaimsNothing() throws Exception {
        try (var socket = connect()) {
            RawUpstream.write(socket, HEAD + "Content-Length: " + MANY + "\r\n\r\n");
            assertThat(trickle(socket, "x".repeat(MANY))).startsWith("HTTP/1.1 408");
        }
        try (var socket = connect()) {
            RawUpstream.write(socket, HEAD + "Transfer-Encoding: chunked\r\n\r\n");
            assertThat(trickle(socket, "1\r\nx\r\n".repeat(MANY))).startsWith("HTTP/1.1 408");
        }
        assertThat(upstream.posts()).isEmpty();
        assertThat(gateway.state("slow")).isEmpty();
    }

    /** A slow unprotected body would hold one of the few connections to the upstream. */
    @Test
    void slowUnprotectedBodyIsRefused() throws Exception {
        try (var socket = connect()) {
            RawUpstream.write(socket, "POST /upload HTTP/1.1\r\nHost: a\r\nContent-Length: " + MANY + "\r\n\r\n");
            assertThat(trickle(socket, "x".repeat(MANY))).startsWith("HTTP/1.1 408");
        }
        assertThat(upstream.posts()).as("no whole request").isEmpty();
    }

    @Test
    void serviceThatReadsSlowlyIsNotTheClientsFault() throws Exception {
        byte[] large = new byte[16 << 20];
        try (var service = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
            Thread.startVirtualThread(() -> {
                try (var socket = service.accept()) {
                    Thread.sleep(RESTS_MILLIS);
                    socket.getInputStream().readNBytes(large.length);
                    RawUpstream.answer(socket, 200, "read");
                    socket.getInputStream().read();
                } catch (IOException | InterruptedException over) {
                    // The test is over.
                }
            });
            // Nobody can send so fast if it is the whole time that counts.
            String hasty = "gateway: {client-idle: 4s, client-head: 4s, client-rate: 1GB}\n";
            try (var other = new GatewayUnderTest("http://127.0.0.1:" + service.getLocalPort(), hasty)) {
                var read = other.send(RawHttpRequest.post("/upload")
                        .body("text/plain", new String(large, StandardCharsets.ISO_8859_1)));

                assertThat(read.body()).isEqualTo("read");
            }
        }
    }

    /** The upstream's timeout applies to the upstream, not to clients that wait for it. */
    @Test
    void clientThatWaitsForItsAnswerDoesNotStandStill() throws Exception {
        var go = new CountDownLatch(1);
        upstream.from((request, socket) -> {
            go.await(RESTS_MILLIS, TimeUnit.MILLISECONDS);
            RawUpstream.answer(socket, 201, "made at last");
        });
        try (var impatient =
                new GatewayUnderTest(upstream.address(), "gateway: {client-idle: 4s, client-head: 4s}\n" + route())) {
            assertThat(impatient.send(pay("slow")).body()).isEqualTo("made at last");
            assertThat(impatient.send(RawHttpRequest.post("/").by("GET")).body())
                    .isEqualTo("made at last");
        }
    }
}
