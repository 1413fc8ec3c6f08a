package dev.refrain.gateway;

import static dev.refrain.gateway.GatewayUnderTest.pay;
import static dev.refrain.gateway.GatewayUnderTest.route;
import static org.assertj.core.api.Assertions.assertThat;

import dev.refrain.http.cases.RawHttpConnection;
import dev.refrain.http.cases.RawHttpRequest;
import dev.refrain.http.cases.RawHttpResponse;
import dev.refrain.store.RecordState;
import java.io.IOException;
import java.net.Socket;
import java.util.UUID;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A service may say any number of things in advance: its answer is the last one. */
class InterimResponsesTest {

    private final String key = UUID.randomUUID().toString();

    private static void answerAfter(String interim, Socket socket) throws IOException {
        for (String status : interim.split(",")) {
            RawUpstream.write(socket, "HTTP/1.1 " + status + " Wait\r\nX-Interim: yes\r\n\r\n");
        }
        RawUpstream.answer(socket, 201, "made");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"100", "100,100", "100,100,100", "102,102", "103,103", "103,100", "100,103,100", "100,104,102"})
    void answerAfterInterimResponsesIsKept(String interim) throws Exception {
        try (var upstream = new RawUpstream((request, socket) -> answerAfter(interim, socket));
                var gateway = new GatewayUnderTest(upstream.address(), route())) {
            var first = gateway.send(pay(key));
            var again = gateway.send(pay(key));

            assertThat(first.status()).isEqualTo(201);
            assertThat(first.body()).isEqualTo("made");
            assertThat(first.header("X-Interim")).isEmpty();
            assertThat(again.replayed()).isTrue();
            assertThat(again.body()).isEqualTo("made");
            assertThat(gateway.state(key)).hasValue(RecordState.COMPLETED);
            assertThat(upstream.posts()).hasSize(1);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"100", "100,100", "103,100", "100,103,100"})
    void answerAfterInterimResponsesPasses(String interim) throws Exception {
        try (var upstream = new RawUpstream((request, socket) -> answerAfter(interim, socket));
                var gateway = new GatewayUnderTest(upstream.address(), route())) {
            for (var request : new RawHttpRequest[] {
                RawHttpRequest.post("/other").by("GET"),
                RawHttpRequest.post("/other").json("{}"),
                RawHttpRequest.post("/other").json("{\"a\":1}").line("Expect: 100-continue")
            }) {
                var answer = finalResponse(gateway, request);

                assertThat(answer.status()).as("%s", request).isEqualTo(201);
                assertThat(answer.body()).isEqualTo("made");
            }
        }
    }

    private static RawHttpResponse finalResponse(GatewayUnderTest gateway, RawHttpRequest request) throws IOException {
        try (var wire = new RawHttpConnection(gateway.server().port())) {
            wire.send(request);
            var answer = wire.receive();
            while (answer.status() < 200) {
                answer = wire.receive();
            }
            return answer;
        }
    }
}
