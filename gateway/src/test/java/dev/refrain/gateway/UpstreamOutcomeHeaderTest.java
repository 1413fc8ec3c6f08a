package dev.refrain.gateway;

import static dev.refrain.gateway.GatewayUnderTest.pay;
import static dev.refrain.gateway.GatewayUnderTest.route;
import static org.assertj.core.api.Assertions.assertThat;

import dev.refrain.http.cases.CapturedWarningLines;
import dev.refrain.store.RecordState;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.InstantSource;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A service that steers its answers by a word that is not known here: nothing runs twice because of it, and people learn of it. */
class UpstreamOutcomeHeaderTest {

    private static RawUpstream.UpstreamBehavior answering(int status, String headers) {
        return (request, socket) -> RawUpstream.write(
                socket, "HTTP/1.1 " + status + " Said\r\n" + headers + "Content-Length: 4\r\n\r\nmade");
    }

    @Test
    void unknownWordIsLoggedOncePerRouteAndCountedAlways() throws Exception {
        var meters = new SimpleMeterRegistry();
        try (var log = new CapturedWarningLines(UpstreamOutcomeHeader.class.getName());
                var upstream = new RawUpstream(answering(201, "Refrain-Outcome: nothing_happened\r\n"));
                var gateway = GatewayUnderTest.observed(InstantSource.system(), meters, upstream.address(), route())) {
            for (int i = 0; i < 2; i++) {
                String key = UUID.randomUUID().toString();
                assertThat(gateway.send(pay(key)).header("Refrain-Outcome")).isEmpty();
                assertThat(gateway.send(pay(key)).replayed()).isTrue();
            }

            assertThat(upstream.posts()).hasSize(2);
            assertThat(log.lines()).hasSize(1);
            assertThat(log.lines().getFirst())
                    .startsWith("POST /pay: ")
                    .contains("Refrain-Outcome: nothing_happened", "Correct the service");
            assertThat(meters.get("refrain.edge")
                            .tag("kind", "observed_outcome_header_unknown")
                            .counter()
                            .count())
                    .isEqualTo(2);
        }
    }

    /** The gateway's routes hold: nothing runs twice, and a retry is not given what the service did not want kept. */
    @Test
    void answerThatTheServiceDoesNotWantKeptEndsTheKeyByItsStateAlone() throws Exception {
        String key = UUID.randomUUID().toString();
        try (var upstream = new RawUpstream(answering(201, "Refrain-Outcome: do-not-keep\r\n"));
                var gateway = new GatewayUnderTest(upstream.address(), route())) {
            assertThat(gateway.send(pay(key)).body()).isEqualTo("made");
            var again = gateway.send(pay(key));

            assertThat(gateway.state(key)).hasValue(RecordState.COMPLETED);
            assertThat(again.body()).doesNotContain("made").contains("urn:refrain:problem:");
            assertThat(upstream.posts()).hasSize(1);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Refrain-Outcome: done\r\n",
                "Refrain-Outcome: \r\n",
                "Refrain-Outcome: state-only\r\nRefrain-Outcome: nothing-happened\r\n"
            })
    void serverErrorWithAnUnknownWordIsAnUnknownOutcome(String headers) throws Exception {
        String key = UUID.randomUUID().toString();
        try (var upstream = new RawUpstream(answering(500, headers));
                var gateway = new GatewayUnderTest(upstream.address(), route())) {
            gateway.send(pay(key));

            assertThat(gateway.state(key)).hasValue(RecordState.ATTENTION);
        }
    }
}
