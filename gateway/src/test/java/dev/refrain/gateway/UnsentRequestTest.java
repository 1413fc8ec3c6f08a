package dev.refrain.gateway;

import static dev.refrain.gateway.GatewayUnderTest.pay;
import static dev.refrain.gateway.GatewayUnderTest.route;
import static org.assertj.core.api.Assertions.assertThat;

import dev.refrain.http.cases.RawHttpConnection;
import dev.refrain.http.cases.RawHttpRequest;
import dev.refrain.store.RecordState;
import java.nio.charset.StandardCharsets;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A request that never left the gateway has a known outcome: it took no effect. */
class UnsentRequestTest {

    private final String key = UUID.randomUUID().toString();

    private static void reachesTheServiceOnce(RawHttpRequest request, String key) throws Exception {
        try (var upstream = new RawUpstream(RawUpstream.answering(201, "made"));
                var gateway = new GatewayUnderTest(upstream.address(), route())) {
            var first = gateway.send(request);

            assertThat(first.status()).isEqualTo(201);
            assertThat(gateway.send(request).replayed()).isTrue();
            assertThat(gateway.state(key)).hasValue(RecordState.COMPLETED);
            assertThat(upstream.posts()).hasSize(1);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {4_000, 8_000, 8_200, 12_000, 15_500})
    void largeHeadsThatTheGatewayAcceptsReachTheService(int bytes) throws Exception {
        reachesTheServiceOnce(pay(key).line("Cookie: c=" + "x".repeat(bytes)), key);
    }

    @ParameterizedTest
    @ValueSource(ints = {4_000, 8_000, 8_200, 12_000, 15_500})
    void longQueriesThatTheGatewayAcceptsReachTheService(int bytes) throws Exception {
        reachesTheServiceOnce(pay(key).to("/pay?q=" + "x".repeat(bytes)), key);
    }

    @Test
    void longListOfProxiesReachesTheService() throws Exception {
        reachesTheServiceOnce(pay(key).line("X-Forwarded-For: " + "192.0.2.1, ".repeat(1_300) + "192.0.2.1"), key);
    }

    @Test
    void headOverTheLimitIsRefusedBeforeTheClaim() throws Exception {
        try (var upstream = new RawUpstream(RawUpstream.answering(201, "made"));
                var gateway = new GatewayUnderTest(upstream.address(), route())) {
            var refused = gateway.send(pay(key).line("Cookie: c=" + "x".repeat(17_000)));

            assertThat(refused.status()).isEqualTo(431);
            assertThat(gateway.state(key)).isEmpty();
            assertThat(upstream.all()).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "q=50%",
                "q=%zz",
                "100%25=%&x",
                "%",
                "q=a|b",
                "q={a}",
                "q=\u00c3\u00a9",
                "q=\u00e2\u0082\u00ac",
                "q=[1]^`\"<>\\",
                "",
                "a?b?c",
                "a=1&a=2&&=",
                "q=a+b%20c"
            })
    void queriesPassUnchanged(String query) throws Exception {
        try (var upstream = new RawUpstream(RawUpstream.answering(201, "made"));
                var gateway = new GatewayUnderTest(upstream.address(), route())) {
            var answer = gateway.send(pay(key).to("/pay?" + query));
            var unprotected = gateway.send(RawHttpRequest.post("/other?" + query));

            assertThat(answer.status()).isEqualTo(201);
            assertThat(gateway.send(pay(key).to("/pay?" + query)).replayed()).isTrue();
            assertThat(unprotected.status()).isEqualTo(201);
            assertThat(upstream.all())
                    .extracting(RawUpstream.ReceivedRequest::line)
                    .containsExactly("POST /pay?" + query + " HTTP/1.1", "POST /other?" + query + " HTTP/1.1");
        }
    }

    /** The server reads a target as UTF-8: what is none could not be passed on as it came. */
    @ParameterizedTest
    @ValueSource(
            strings = {"/pay?q=\u00ff", "/pay?q=\u00fe", "/pay?q=\u00c3", "/\u00ff?q", "/pay?q=\u00ef\u00bf\u00bd"})
    void targetThatIsNoUtf8IsRefusedBeforeTheClaim(String target) throws Exception {
        try (var upstream = new RawUpstream(RawUpstream.answering(201, "made"));
                var gateway = new GatewayUnderTest(upstream.address(), route())) {
            var refused = gateway.send(pay(key).to(target));

            assertThat(refused.status()).isEqualTo(400);
            assertThat(refused.body())
                    .as("a path that is none is refused by the server itself")
                    .contains(target.startsWith("/pay") ? "target-malformed" : "about:blank");
            assertThat(gateway.send(RawHttpRequest.post(target).by("DELETE")).status())
                    .isEqualTo(400);

            assertThat(gateway.state(key)).isEmpty();
            assertThat(upstream.all()).isEmpty();
        }
    }

    /** On a protected route it is refused where every edge refuses it: after its sender is known. */
    @Test
    void malformedTargetOfUnknownCallerIsRefusedForItsCaller() throws Exception {
        try (var upstream = new RawUpstream(RawUpstream.answering(201, "made"));
                var gateway = new GatewayUnderTest(
                        upstream.address(),
                        "gateway:\n  scope: {trusted-header: {header: X-User, from: [127.0.0.0/8]}}\n" + route())) {
            assertThat(gateway.send(pay(key).to("/pay?q=\u00ff").without("X-User"))
                            .body())
                    .contains("caller-unknown");
            assertThat(gateway.send(pay(key).to("/pay?q=\u00ff")).body()).contains("target-malformed");
            assertThat(upstream.all()).isEmpty();
        }
    }

    @Test
    void malformedTargetOfRequestThatNeedsNoProtectionIsNotForwarded() throws Exception {
        for (String rule : new String[] {"key-requirement: optional", "key-requirement: observe"}) {
            try (var upstream = new RawUpstream(RawUpstream.answering(201, "made"));
                    var gateway = new GatewayUnderTest(upstream.address(), route(rule))) {
                for (var request : new RawHttpRequest[] {
                    RawHttpRequest.post("/pay?q=\u00ff"),
                    RawHttpRequest.post("/other?q=\u00ff"),
                    RawHttpRequest.post("/pay?q=\u00ff")
                            .by("GET")
                            .line("Connection: Upgrade")
                            .line("Upgrade: websocket")
                            .line("Sec-WebSocket-Version: 13")
                            .line("Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==")
                }) {
                    var refused = gateway.send(request);
                    assertThat(refused.status()).as("%s %s", rule, request).isEqualTo(400);
                    assertThat(refused.body()).contains("target-malformed");
                }
                assertThat(upstream.all()).isEmpty();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"\"", "for=\"unclosed", ";;,,=", "for=1;for=\"a\\", ",", "for=\"_x\"y", "1.1", "a b c d"})
    void headersAboutTheWayPassHoweverTheyAreWritten(String value) throws Exception {
        try (var upstream = new RawUpstream(RawUpstream.answering(201, "made"));
                var gateway = new GatewayUnderTest(upstream.address(), route())) {
            for (String header : new String[] {"Forwarded", "Via", "X-Forwarded-For"}) {
                String own = UUID.randomUUID().toString();

                assertThat(gateway.send(pay(own).line(header + ": " + value)).status())
                        .as(header)
                        .isEqualTo(201);

                assertThat(gateway.state(own)).hasValue(RecordState.COMPLETED);
                var seen = upstream.posts().getLast();
                assertThat(seen.header(header).orElseThrow()).startsWith(value + ", ");
            }
        }
    }

    @Test
    void requestWithoutAHostPasses() throws Exception {
        try (var upstream = new RawUpstream(RawUpstream.answering(201, "made"));
                var gateway = new GatewayUnderTest(upstream.address(), route());
                var wire = new RawHttpConnection(gateway.server().port())) {
            wire.write(("POST /pay HTTP/1.0\r\nIdempotency-Key: " + key + "\r\nContent-Length: 2\r\n\r\n{}")
                    .getBytes(StandardCharsets.US_ASCII));

            assertThat(wire.receive().status()).isEqualTo(201);
            assertThat(gateway.state(key)).hasValue(RecordState.COMPLETED);
        }
    }
}
