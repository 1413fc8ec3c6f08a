package dev.refrain.gateway;

import static dev.refrain.gateway.GatewayUnderTest.pay;
import static dev.refrain.gateway.GatewayUnderTest.route;
import static org.assertj.core.api.Assertions.assertThat;

import dev.refrain.api.ScopedKey;
import dev.refrain.http.cases.CapturedWarningLines;
import dev.refrain.http.edge.RouteProtection;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a person reads at night about a request whose outcome is unknown. */
class ForwardingLogTest {

    private final String key = UUID.randomUUID().toString();

    private static final Map<String, RawUpstream.UpstreamBehavior> FAILURES = Map.of(
            "closed", (request, socket) -> socket.close(),
            "reset", (request, socket) -> RawUpstream.reset(socket),
            "silent", (request, socket) -> Thread.sleep(60_000),
            "half a head",
                    (request, socket) -> {
                        RawUpstream.write(socket, "HTTP/1.1 201 Cre");
                        socket.close();
                    },
            "no HTTP",
                    (request, socket) -> {
                        RawUpstream.write(socket, "220 mail.example.com ESMTP\r\n\r\n");
                        socket.close();
                    },
            "half a stream",
                    (request, socket) -> {
                        RawUpstream.write(
                                socket,
                                "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n");
                        socket.close();
                    },
            "a server error", RawUpstream.answering(500, "who knows"));

    @Test
    void unknownOutcomeSaysWhichRequestWhatIsKnownAndWhatToDo() throws Exception {
        for (var failure : FAILURES.entrySet()) {
            String key = UUID.randomUUID().toString();
            try (var log = new CapturedWarningLines(ForwardingLog.class.getName());
                    var upstream = new RawUpstream(failure.getValue());
                    var gateway = new GatewayUnderTest(upstream.address(), route("upstream-timeout: 1s"))) {
                try {
                    gateway.send(pay(key).to("/pay?card=4111111111111111"));
                } catch (java.io.IOException brokenOff) {
                    // So ends half a stream.
                }

                var record = gateway.refrain()
                        .admin()
                        .find(new ScopedKey("", RouteProtection.NAMESPACE, key))
                        .orElseThrow();
                // One line for people, and nothing beside it, such as the stack of a library; other tests may log lines
                // of theirs.
                var lines = log.containing("record " + record.claim().id());
                assertThat(lines).as(failure.getKey()).hasSize(1);
                assertThat(log.shown()).as(failure.getKey()).noneMatch(line -> line.startsWith("Cause"));
                assertThat(lines.getFirst())
                        .as(failure.getKey())
                        .startsWith("Unknown outcome of POST /pay, key " + key.substring(0, 4) + "…, record "
                                + record.claim().id() + ": ")
                        .contains("refrain keys resolve", "refrain keys release")
                        .doesNotContain(key, "4111", "@", "jetty", "Jetty", "Exception", "HttpConnection");
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"shortened,false", "full,true", "off,false"})
    void keysAreShownAsConfigured(String format, boolean whole) throws Exception {
        try (var log = new CapturedWarningLines(ForwardingLog.class.getName());
                var upstream = new RawUpstream((request, socket) -> RawUpstream.reset(socket));
                var gateway =
                        new GatewayUnderTest(upstream.address(), "gateway:\n  log-keys: " + format + "\n" + route())) {
            gateway.send(pay(key));

            assertThat(log.lines().getFirst().contains(key)).isEqualTo(whole);
            assertThat(log.lines().getFirst().contains(", key ")).isEqualTo(!format.equals("off"));
        }
    }

    @Test
    void unsentRequestIsLoggedAsUnsent() throws Exception {
        try (var log = new CapturedWarningLines(ForwardingLog.class.getName());
                var nobody = new UnansweredPort();
                var gateway = new GatewayUnderTest("http://127.0.0.1:" + nobody.number(), route())) {
            gateway.send(pay(key));

            assertThat(log.shown()).noneMatch(line -> line.startsWith("Cause"));
            assertThat(log.containing("key " + key.substring(0, 4)).getFirst())
                    .startsWith("Not sent: POST /pay, key ")
                    .contains("cannot be reached", "a retry runs")
                    .doesNotContain("@", "Exception", "java.");
        }
    }
}
