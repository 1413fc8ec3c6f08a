package dev.refrain.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.refrain.http.cases.RawHttpConnection;
import dev.refrain.http.cases.RawHttpRequest;
import dev.refrain.http.cases.TestHandlerResponse;
import dev.refrain.store.RecordState;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Unprotected requests pass as if there were no gateway. */
class PassThroughTest {

    private static RawHttpRequest get(String target) {
        return RawHttpRequest.post(target).by("GET");
    }

    @Test
    void serviceSeesTheClientsAddressAndNoConnectionHeaders() throws Exception {
        try (var upstream = new RawUpstream(RawUpstream.answering(200, "here"));
                var gateway = new GatewayUnderTest(upstream.address() + "/base", "")) {
            gateway.send(get("//a/%2F/b%20c?x=1&y=%5B")
                    .line("Connection: X-Private")
                    .line("X-Private: yes")
                    .line("Keep-Alive: timeout=5")
                    .line("TE: trailers")
                    .line("Proxy-Authorization: secret")
                    .line("X-Forwarded-For: 192.0.2.1")
                    .line("X-Kept: yes"));

            var seen = upstream.all().getFirst();
            assertThat(seen.line()).isEqualTo("GET /base//a/%2F/b%20c?x=1&y=%5B HTTP/1.1");
            assertThat(seen.header("X-Kept")).hasValue("yes");
            for (String gone : new String[] {"X-Private", "Keep-Alive", "TE", "Proxy-Authorization"}) {
                assertThat(seen.header(gone)).as(gone).isEmpty();
            }
            assertThat(seen.header("Forwarded").orElseThrow())
                    .contains("for=\"127.0.0.1\"", "proto=http", "host=\"localhost\"");
            assertThat(seen.header("X-Forwarded-For")).hasValue("192.0.2.1, 127.0.0.1");
            assertThat(seen.header("X-Forwarded-Proto")).hasValue("http");
            assertThat(seen.header("Host")).hasValue("localhost");
            assertThat(seen.header("User-Agent"))
                    .as("nothing that the client did not say")
                    .isEmpty();
        }
    }

    @Test
    void clientCannotSayThatItCameOverTls() throws Exception {
        try (var upstream = new RawUpstream(RawUpstream.answering(200, "here"));
                var gateway = new GatewayUnderTest(upstream.address(), "")) {
            gateway.send(get("https://localhost/x"));

            var seen = upstream.all().getFirst();
            assertThat(seen.line()).isEqualTo("GET /x HTTP/1.1");
            assertThat(seen.header("X-Forwarded-Proto")).hasValue("http");
            assertThat(seen.header("Forwarded").orElseThrow())
                    .contains("proto=http")
                    .doesNotContain("https");
        }
    }

    /** The service trusts whatever the gateway says, so it must hear nothing from those who are not believed. */
    @Test
    void headerThatIsBelievedFromAProxyOnlyDoesNotPassFromAnybodyElse() throws Exception {
        for (String from : new String[] {"192.0.2.0/24", "127.0.0.0/8"}) {
            String yaml = "gateway:\n  scope: {trusted-header: {header: X-User, from: [" + from + "]}}\n";
            try (var upstream = new RawUpstream(RawUpstream.answering(200, "alice's"));
                    var gateway = new GatewayUnderTest(upstream.address(), yaml + GatewayUnderTest.route())) {
                gateway.send(get("/account").as("alice"));

                assertThat(upstream.all().getFirst().header("X-User"))
                        .isEqualTo(Optional.of("alice").filter(believed -> from.startsWith("127")));
            }
        }
    }

    /** A service behind CGI, WSGI and the like sees both names as HTTP_X_USER. */
    @Test
    void norDoesOneThatTheServiceMayTakeForIt() throws Exception {
        for (String from : new String[] {"192.0.2.0/24", "127.0.0.0/8"}) {
            String yaml = "gateway:\n  scope: {trusted-header: {header: X-User, from: [" + from + "]}}\n";
            try (var upstream = new RawUpstream(RawUpstream.answering(200, "alice's"));
                    var gateway = new GatewayUnderTest(upstream.address(), yaml + GatewayUnderTest.route())) {
                gateway.send(get("/account").line("x_uSER: mallory"));

                assertThat(upstream.all().getFirst().header("X_User")).isEmpty();
            }
        }
    }

    /** Two slashes at the start of a path are no host: what follows them is the path too. */
    @ParameterizedTest
    @ValueSource(strings = {"//x/pay", "//pay", "///", "//x:80/pay?a=1&b=%5B", "//x/pay?a=|", "//x@y/pay?/../"})
    void pathArrivesAsItWasSentWhateverItBeginsWith(String path) throws Exception {
        try (var upstream = new RawUpstream(RawUpstream.answering(200, "here"));
                var gateway = new GatewayUnderTest(upstream.address(), GatewayUnderTest.route())) {
            gateway.send(get(path).by("DELETE"));
            gateway.send(GatewayUnderTest.pay("one").to(path));

            assertThat(upstream.all())
                    .extracting(RawUpstream.ReceivedRequest::line)
                    .containsExactly("DELETE " + path + " HTTP/1.1", "POST " + path + " HTTP/1.1");
        }
    }

    @Test
    void connectionsToTheServiceAreUsedAgain() throws Exception {
        try (var upstream = new RawUpstream(RawUpstream.answering(200, "here"));
                var gateway = new GatewayUnderTest(upstream.address(), "")) {
            for (int i = 0; i < 5; i++) {
                assertThat(gateway.send(get("/" + i)).body()).isEqualTo("here");
            }
            // The answer may be with the client before its connection is back in the pool.
            assertThat(upstream.all())
                    .extracting(RawUpstream.ReceivedRequest::connection)
                    .containsAnyOf(1, 2)
                    .doesNotContain(5);
        }
    }

    /** Server-sent events, and whatever else is read while it is written. */
    @Test
    void answerStreamsThroughWhileItIsWritten() throws Exception {
        var read = new CountDownLatch(1);
        try (var upstream = new RawUpstream((request, socket) -> {
                    RawUpstream.write(
                            socket,
                            "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"
                                    + "9\r\ndata: 1\n\n\r\n");
                    assertThat(read.await(1, TimeUnit.MINUTES)).isTrue();
                    RawUpstream.write(socket, "9\r\ndata: 2\n\n\r\n0\r\n\r\n");
                });
                var gateway = new GatewayUnderTest(upstream.address(), "");
                var socket = new Socket(
                        InetAddress.getLoopbackAddress(), gateway.server().port())) {
            socket.setSoTimeout(10_000);
            RawUpstream.write(socket, "GET /events HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
            var in = socket.getInputStream();

            assertThat(readUntil(in, "data: 1")).contains("text/event-stream");
            read.countDown();
            assertThat(readUntil(in, "data: 2")).doesNotContain("data: 1");
        }
    }

    @Test
    void trailersPass() throws Exception {
        try (var upstream = new RawUpstream(
                        (request, socket) -> RawUpstream.write(
                                socket,
                                "HTTP/1.1 200 OK\r\nTrailer: X-Sum\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\nX-Sum: 42\r\n\r\n"));
                var gateway = new GatewayUnderTest(upstream.address(), "");
                var socket = new Socket(
                        InetAddress.getLoopbackAddress(), gateway.server().port())) {
            socket.setSoTimeout(10_000);
            RawUpstream.write(socket, "GET /sum HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");

            assertThat(new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1))
                    .contains("X-Sum: 42");
        }
    }

    /** 104 is said in front of an upload that may be taken up again. */
    @ParameterizedTest
    @ValueSource(strings = {"104 Upload Resumption Supported", "199 Odd"})
    void answerInAdvanceThatNobodyKnowsIsNotTheAnswer(String first) throws Exception {
        try (var upstream = new RawUpstream((request, socket) -> {
                    RawUpstream.write(socket, "HTTP/1.1 " + first + "\r\nX-First: yes\r\n\r\n");
                    RawUpstream.answer(socket, 201, "made");
                });
                var gateway = new GatewayUnderTest(upstream.address(), GatewayUnderTest.route())) {
            for (var request : List.of(
                    RawHttpRequest.post("/other").json("{}"),
                    GatewayUnderTest.pay("one"),
                    GatewayUnderTest.pay("one"))) {
                var answer = gateway.send(request);

                assertThat(answer.status()).isEqualTo(201);
                assertThat(answer.body()).isEqualTo("made");
                assertThat(answer.header("X-First")).isEmpty();
            }
        }
    }

    @Test
    void protocolThatNobodyAskedForIsNoAnswer() throws Exception {
        try (var upstream = new RawUpstream((request, socket) ->
                        RawUpstream.write(socket, "HTTP/1.1 101 Switching Protocols\r\nUpgrade: other\r\n\r\n"));
                var gateway = new GatewayUnderTest(upstream.address(), GatewayUnderTest.route())) {
            assertThat(gateway.send(get("/")).body()).contains("upstream-silent");
            assertThat(gateway.send(GatewayUnderTest.pay("one")).body()).contains("outcome-unknown");
            assertThat(gateway.state("one")).hasValue(RecordState.ATTENTION);
        }
    }

    @Test
    void unreachableServiceIsReportedAsUnreachable() throws Exception {
        String address;
        try (var upstream = new RawUpstream(RawUpstream.answering(200, "here"))) {
            address = upstream.address();
        }
        try (var gateway = new GatewayUnderTest(address, "")) {
            var refused = gateway.send(get("/"));

            assertThat(refused.status()).isEqualTo(502);
            assertThat(refused.body()).contains("upstream-unreachable");
        }
    }

    @Test
    void serviceThatHangsUpIsReportedAsSilent() throws Exception {
        try (var upstream = new RawUpstream((request, socket) -> RawUpstream.reset(socket));
                var gateway = new GatewayUnderTest(upstream.address(), "")) {
            var refused = gateway.send(RawHttpRequest.post("/").json("{}"));

            assertThat(refused.status()).isEqualTo(504);
            assertThat(refused.body()).contains("upstream-silent", "\"retryable\":false");
            assertThat(upstream.posts()).as("not sent twice either").hasSize(1);
        }
    }

    /** Observe mode changes nothing for clients or the upstream. */
    @Test
    void observedRequestPassesUnchanged() throws Exception {
        String yaml = GatewayUnderTest.route(
                "key-requirement: observe", "upstream-honours-keys: 24h", "upstream-timeout: 1s");
        try (var upstream = new RawUpstream(RawUpstream.answering(500, "broken"));
                var gateway = new GatewayUnderTest(upstream.address(), yaml)) {
            assertThat(gateway.send(GatewayUnderTest.pay("one")).body()).isEqualTo("broken");

            upstream.from((request, socket) -> RawUpstream.reset(socket));
            var silent = gateway.send(GatewayUnderTest.pay("two"));
            assertThat(silent.status()).isEqualTo(504);
            assertThat(silent.body()).contains("upstream-silent");
            assertThat(upstream.posts()).as("once each").hasSize(2);

            upstream.from((request, socket) -> {
                Thread.sleep(1500);
                RawUpstream.answer(socket, 200, "late");
            });
            assertThat(gateway.send(GatewayUnderTest.pay("three")).body()).isEqualTo("late");
        }
    }

    @Test
    void serverErrorOfWhatIsObservedIsItsAnswer() throws Exception {
        try (var upstream = new RawUpstream(RawUpstream.answering(500, "broken"));
                var gateway =
                        new GatewayUnderTest(upstream.address(), GatewayUnderTest.route("key-requirement: observe"))) {
            var answer = gateway.send(GatewayUnderTest.pay("one"));

            assertThat(answer.status()).isEqualTo(500);
            assertThat(answer.body()).isEqualTo("broken");
        }
    }

    /** In HTTP/2 no header has to say that a body follows. */
    @Test
    void bodyArrivesOverHttp2WithAndWithoutItsLength() throws Exception {
        var read = new ConcurrentLinkedQueue<String>();
        try (var upstream = new PlainUpstream(asked -> {
                    read.add(asked.method() + " " + asked.path() + " " + asked.body());
                    return TestHandlerResponse.of(200, "read");
                });
                var gateway =
                        new GatewayUnderTest(upstream.address(), GatewayUnderTest.route("key-requirement: optional"));
                var client = HttpClient.newBuilder()
                        .version(HttpClient.Version.HTTP_2)
                        .build()) {
            over(client, gateway, "/", BodyPublishers.noBody());
            for (String path : new String[] {"/upload", "/pay"}) {
                over(client, gateway, path, BodyPublishers.ofString("told"));
                over(client, gateway, path, BodyPublishers.ofInputStream(() -> bytes("not told")));
            }

            assertThat(read)
                    .containsExactly(
                            "POST / ",
                            "POST /upload told",
                            "POST /upload not told",
                            "POST /pay told",
                            "POST /pay not told");
        }
    }

    @Test
    void noBodyIsMadeOfNoneOverHttp2() throws Exception {
        try (var upstream = new RawUpstream(RawUpstream.answering(200, "here"));
                var gateway = new GatewayUnderTest(upstream.address(), "");
                var client = HttpClient.newBuilder()
                        .version(HttpClient.Version.HTTP_2)
                        .build()) {
            for (int i = 0; i < 2; i++) {
                client.send(HttpRequest.newBuilder(at(gateway, "/")).build(), HttpResponse.BodyHandlers.discarding());
            }

            assertThat(upstream.all()).hasSize(2);
            assertThat(upstream.all().getLast().header("Transfer-Encoding")).isEmpty();
            assertThat(upstream.all().getLast().header("Content-Length")).isEmpty();
        }
    }

    private static void over(HttpClient client, GatewayUnderTest gateway, String path, HttpRequest.BodyPublisher body)
            throws Exception {
        var answer = client.send(
                HttpRequest.newBuilder(at(gateway, path)).POST(body).build(), HttpResponse.BodyHandlers.ofString());
        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.version()).isEqualTo(HttpClient.Version.HTTP_2);
    }

    private static URI at(GatewayUnderTest gateway, String path) {
        return URI.create("http://localhost:" + gateway.server().port() + path);
    }

    private static InputStream bytes(String text) {
        return new ByteArrayInputStream(text.getBytes(StandardCharsets.US_ASCII));
    }

    @Test
    void expectContinueIsAnsweredBeforeTheBody() throws Exception {
        try (var upstream = new RawUpstream(RawUpstream.answering(200, "read"));
                var gateway = new GatewayUnderTest(upstream.address(), "");
                var wire = new RawHttpConnection(gateway.server().port())) {
            wire.write("POST /x HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\n"
                    .getBytes(StandardCharsets.ISO_8859_1));
            assertThat(wire.receive().status()).isEqualTo(100);

            wire.write("{}".getBytes(StandardCharsets.ISO_8859_1));

            assertThat(wire.receive().body()).isEqualTo("read");
            assertThat(upstream.posts().getFirst().body()).isEqualTo("{}");
        }
    }

    private static String readUntil(InputStream in, String end) throws Exception {
        var text = new StringBuilder();
        while (text.indexOf(end) < 0) {
            int c = in.read();
            if (c < 0) {
                throw new AssertionError("It ended: " + text);
            }
            text.append((char) c);
        }
        return text.toString();
    }
}
