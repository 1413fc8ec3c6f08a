package dev.refrain.gateway;

import static dev.refrain.gateway.GatewayUnderTest.pay;
import static dev.refrain.gateway.GatewayUnderTest.route;
import static org.assertj.core.api.Assertions.assertThat;

import dev.refrain.http.cases.RawHttpRequest;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The service gets the request that the client sent, and the client the answer that the service gave. */
class ForwardedRequestTest {

    private final String key = UUID.randomUUID().toString();

    @Test
    void noContentTypeIsMadeUpForARequest() throws Exception {
        try (var upstream = new RawUpstream(RawUpstream.answering(201, "made"));
                var gateway = new GatewayUnderTest(upstream.address(), route())) {
            gateway.send(pay(key).without("Content-Type"));
            gateway.send(RawHttpRequest.post("/other").json("{}").without("Content-Type"));
            gateway.send(pay("typed-" + key).without("Content-Type").line("Content-Type: a/b; c=\"D\""));

            assertThat(upstream.posts()).hasSize(3);
            assertThat(upstream.posts().get(0).header("Content-Type")).isEmpty();
            assertThat(upstream.posts().get(0).body()).isEqualTo("{\"amount\":1}");
            assertThat(upstream.posts().get(1).header("Content-Type")).isEmpty();
            assertThat(upstream.posts().get(2).header("Content-Type")).hasValue("a/b; c=\"D\"");
        }
    }

    @Test
    void noContentTypeIsMadeUpForAnAnswer() throws Exception {
        try (var upstream = new RawUpstream((request, socket) ->
                        RawUpstream.write(socket, "HTTP/1.1 201 Created\r\nContent-Length: 4\r\n\r\nmade"));
                var gateway = new GatewayUnderTest(upstream.address(), route())) {
            var first = gateway.send(pay(key));
            var again = gateway.send(pay(key));

            assertThat(first.header("Content-Type")).isEmpty();
            assertThat(again.replayed()).isTrue();
            assertThat(again.header("Content-Type")).isEmpty();
        }
    }

    /** Methods are case-sensitive, but many services read them as if they were not. */
    @ParameterizedTest
    @ValueSource(strings = {"post", "Post", "pOST"})
    void methodInAnotherCaseIsTheSameMethod(String method) throws Exception {
        try (var upstream = new RawUpstream(RawUpstream.answering(201, "made"));
                var gateway = new GatewayUnderTest(upstream.address(), route())) {
            gateway.send(pay(key).by(method));

            assertThat(gateway.send(pay(key).by(method)).replayed()).isTrue();
            assertThat(gateway.send(pay(key)).replayed()).isTrue();
            assertThat(upstream.all()).hasSize(1);
        }
    }
}
