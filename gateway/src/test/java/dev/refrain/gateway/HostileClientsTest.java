package dev.refrain.gateway;

import static dev.refrain.gateway.GatewayUnderTest.route;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Clients that mean harm: they are refused in clear words, and nobody else notices. */
@Execution(ExecutionMode.CONCURRENT)
class HostileClientsTest {

    private static final String START = "POST /pay HTTP/1.1\nHost: a\nIdempotency-Key: abuse\n";

    private RawUpstream upstream;
    private GatewayUnderTest gateway;

    @BeforeEach
    void start() throws Exception {
        upstream = new RawUpstream(RawUpstream.answering(201, "made"));
        gateway = new GatewayUnderTest(upstream.address(), "gateway: {client-idle: 5s}\n" + route());
    }

    @AfterEach
    void stop() throws Exception {
        gateway.close();
        upstream.close();
    }

    private String raw(String request) throws IOException {
        try (var socket =
                new Socket(InetAddress.getLoopbackAddress(), gateway.server().port())) {
            socket.setSoTimeout(60_000);
            try {
                RawUpstream.write(socket, request.replace("\n", "\r\n"));
                return new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
            } catch (SocketException reset) {
                return "reset";
            }
        }
    }

    /** Two readers of one connection must not see different requests in it. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                START + "Content-Length: 4\nTransfer-Encoding: chunked\n\n0\n\nGET /smuggled HTTP/1.1\nHost: a\n\n",
                START + "Content-Length: 4\nContent-Length: 5\n\nabcde",
                START + "Content-Length: 4, 4\n\nabcd",
                START + "Content-Length: \n\nabcd",
                START + "Content-Length: 99999999999999999999\n\nabcd",
                START + "Transfer-Encoding: chunked\nTransfer-Encoding: identity\n\n0\n\n",
                START + "Transfer-Encoding: \u000bchunked\n\n0\n\n",
                START + "Transfer-Encoding: chunked\n\n4;\u0000\nabcd\n0\n\n",
                START + "Transfer-Encoding: chunked\n\nffffffffffffffff1\nabcd\n0\n\n",
                START + "Transfer-Encoding: chunked\n\n4\nabcdefgh\n0\n\n",
                START + "X-Null: a\u0000b\nContent-Length: 0\n\n",
                START + "X-Bare: a\rContent-Length: 4\n\nabcd",
                START + "Host: b\nContent-Length: 0\n\n",
                START + "Content-Length: +4\n\nabcd",
                START + "Content-Length: 4x\n\nabcd",
                START + "Transfer-Encoding: chunked\n\nxyz\nabcd\n0\n\n",
                START + "Transfer-Encoding: chunked\n\n-4\nabcd\n0\n\n",
                START + "Transfer-Encoding: chunked, identity\n\n0\n\n",
                START + "Transfer-Encoding: xchunked\n\n0\n\n",
                START + "X-Folded: one\n two\nContent-Length: 0\n\n",
                START + "Bad Header : x\nContent-Length: 0\n\n",
                START + "Content-Length : 4\n\nabcd",
                "POST //[::1]/pay HTTP/1.1\nHost: a\nContent-Length: 0\n\n",
                "POST /x/%2e%2e/pay HTTP/1.1\nHost: a\nContent-Length: 0\n\n",
                "POST /pay HTTP/1.1\nContent-Length: 0\n\n",
            })
    void requestThatCanBeReadInTwoWaysIsRefused(String request) throws IOException {
        assertThat(raw(request)).startsWith("HTTP/1.1 4").doesNotContain("made");

        assertThat(upstream.all()).isEmpty();
    }

    /** Only chunked is understood: without its other codings the same bytes are another body. */
    @ParameterizedTest
    @ValueSource(strings = {"gzip, chunked", "GZIP,chunked", "gzip\nTransfer-Encoding: chunked"})
    void transferCodingOtherThanChunkedIsRefused(String codings) throws IOException {
        assertThat(raw(START + "Connection: close\nTransfer-Encoding: " + codings + "\n\n4\nabcd\n0\n\n"))
                .startsWith("HTTP/1.1 501 ")
                .contains("application/problem+json", "\"detail\":\"Transfer-Encoding ");

        assertThat(upstream.all()).isEmpty();
        assertThat(gateway.state("abuse")).isEmpty();
    }

    /** What Connection names is not forwarded: the service would get another request than the one that was claimed. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "Host",
                "idempotency-key",
                "Content-Length",
                "Content-Type",
                "Authorization",
                "Cookie",
                "X-Forwarded-For",
                "close, host",
                "\"x, Host, y\"",
                "close\nConnection: Host"
            })
    void connectionHeaderCannotRemoveWhatARequestMeans(String named) throws IOException {
        assertThat(raw(START + "Connection: close\nConnection: " + named + "\nContent-Length: 4\n\nabcd"))
                .startsWith("HTTP/1.1 400 ")
                .contains("\"detail\":\"Connection names ");

        assertThat(upstream.all()).isEmpty();
        assertThat(gateway.state("abuse")).isEmpty();
    }

    /** The service would see a request without the credential that its keys belong to. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "{api-key: {header: X-Credential}}",
                "{trusted-header: {header: X-Credential, from: [127.0.0.0/8]}}"
            })
    void connectionHeaderCannotRemoveTheScope(String scope) throws Exception {
        gateway.close();
        gateway = new GatewayUnderTest(upstream.address(), "gateway:\n  scope: " + scope + "\n" + route());

        assertThat(raw(START + "X-Credential: a\nConnection: close, x-credential\nContent-Length: 4\n\nabcd"))
                .startsWith("HTTP/1.1 400 ")
                .contains("Connection names X-Credential");
        assertThat(upstream.all()).isEmpty();
    }

    @Test
    void refusalOfTheServerSaysWhatToDo() throws IOException {
        assertThat(raw("POST /x/%2e%2e/pay HTTP/1.1\nHost: a\nConnection: close\nContent-Length: 0\n\n"))
                .startsWith("HTTP/1.1 400 ")
                .contains("\"type\":\"about:blank\"", "\"detail\":\"");
    }

    @Test
    void connectMethodIsRefused() throws IOException {
        assertThat(raw("CONNECT other:80 HTTP/1.1\nHost: other:80\n\n")).startsWith("HTTP/1.1 501 ");

        assertThat(upstream.all()).isEmpty();
    }

    @Test
    void headThatIsTooLargeIsRefused() throws IOException {
        assertThat(raw(START + "X-Large: " + "x".repeat(40_000) + "\nContent-Length: 0\n\n"))
                .matches("(?s)(HTTP/1.1 431.*|reset)");
        assertThat(raw("POST /" + "x".repeat(40_000) + " HTTP/1.1\nHost: a\n\n"))
                .matches("(?s)(HTTP/1.1 4[13][41].*|reset)");
        assertThat(upstream.all()).isEmpty();
    }

    /** A client that stops in the middle times out, and claims nothing. */
    @Test
    void clientThatStopsInTheMiddleIsGivenUp() throws IOException {
        assertThat(raw("POST /pay HTTP/1.1\nHo")).doesNotContain("made");
        assertThat(raw(START + "Content-Length: 10\n\nabc")).doesNotContain("made");

        assertThat(upstream.all()).isEmpty();
        assertThat(gateway.state("abuse")).isEmpty();
    }

    /** Clients may close their sending side after the request and still read the response. */
    @Test
    void halfClosedClientIsAnswered() throws IOException {
        assertThat(halfClosed(START + "Content-Length: 4\n\nabcd"))
                .startsWith("HTTP/1.1 201")
                .endsWith("made");
        assertThat(upstream.posts()).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "POST /pay HTT",
                START,
                START + "Content-Length: 4\n\nab",
                START + "Transfer-Encoding: chunked\n\n4\nab",
                START + "Transfer-Encoding: chunked\n\n4\nabcd\n"
            })
    void bodyCutOffInTheMiddleIsRefusedBeforeItIsIdleAndClaimsNothing(String begun) throws Exception {
        gateway.close();
        gateway = new GatewayUnderTest(upstream.address(), "gateway: {client-idle: 120s}\n" + route());

        assertThat(halfClosed(begun)).as("before the client gives up").matches("(?s)(HTTP/1.1 4.*)?");

        assertThat(upstream.all()).isEmpty();
        assertThat(gateway.state("abuse")).isEmpty();
    }

    private String halfClosed(String request) throws IOException {
        try (var socket =
                new Socket(InetAddress.getLoopbackAddress(), gateway.server().port())) {
            socket.setSoTimeout(60_000);
            RawUpstream.write(socket, request.replace("\n", "\r\n"));
            socket.shutdownOutput();
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
        }
    }

    /** Routes hold in whatever way the path is written: what is not protected by its spelling would run twice. */
    @ParameterizedTest
    @ValueSource(strings = {"/pay/", "//pay", "/x/../pay", "/p%61y", "/pay;v=1", "/./pay", "/x%2F..%2Fpay"})
    void noSpellingOfAPathGoesAroundItsProtection(String path) throws IOException {
        assertThat(raw("POST " + path + " HTTP/1.1\nHost: a\nConnection: close\nContent-Length: 0\n\n"))
                .startsWith("HTTP/1.1 400");
        assertThat(upstream.all()).isEmpty();
    }
}
