package dev.refrain.gateway;

import static dev.refrain.gateway.GatewayUnderTest.pay;
import static dev.refrain.gateway.GatewayUnderTest.route;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.refrain.http.cases.CapturedWarningLines;
import dev.refrain.http.cases.RawHttpRequest;
import dev.refrain.http.edge.UncoveredKeyReporter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Requests that have a key, and that no route covers. */
class UncoveredRequestsTest {

    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();

    private GatewayUnderTest gateway(RawUpstream upstream, String yaml) throws Exception {
        return new GatewayUnderTest(
                upstream.address(), yaml, new AccessLog(Clock.systemUTC(), Optional.empty(), meters));
    }

    private long unprotected() {
        var timer = meters.find("refrain.gateway.request")
                .tag("outcome", "unprotected")
                .timer();
        return timer == null ? 0 : timer.count();
    }

    private static RawHttpRequest put(String path) {
        return pay("a-key").to(path).by("PUT");
    }

    @Test
    void protectedLikeOthersUnlessSaidOtherwise() throws Exception {
        try (var upstream = new RawUpstream(RawUpstream.answering(201, "made"));
                var gateway = gateway(upstream, route())) {
            gateway.send(pay("one").to("/other"));

            assertThat(gateway.send(pay("one").to("/other")).replayed()).isTrue();
            assertThat(upstream.posts()).hasSize(1);
        }
    }

    @Test
    void keyInTheHeaderOfAnotherRouteIsHonoured() throws Exception {
        try (var upstream = new RawUpstream(RawUpstream.answering(201, "made"));
                var gateway = gateway(upstream, route("key-sources: [X-Pay-Key]"))) {
            var request = pay("one").to("/other").without("Idempotency-Key").line("X-Pay-Key: one");
            gateway.send(request);

            assertThat(gateway.send(request).replayed()).isTrue();
            assertThat(upstream.posts()).hasSize(1);
        }
    }

    @Test
    void methodsThatNobodyKnowsMayChangeSomething() throws Exception {
        try (var upstream = new RawUpstream(RawUpstream.answering(201, "made"));
                var gateway = gateway(upstream, "gateway:\n  others: refuse\n" + route("key-sources: [X-Pay-Key]"))) {
            var request = put("/pay").by("LINK").without("Idempotency-Key").line("X-Pay-Key: one");

            assertThat(gateway.send(request).status()).isEqualTo(400);
            assertThat(upstream.all()).isEmpty();
        }
    }

    @Test
    void putAndDeletePassAndAreReportedOnceAndCounted() throws Exception {
        try (var log = new CapturedWarningLines(UncoveredKeyReporter.class.getName());
                var upstream = new RawUpstream(RawUpstream.answering(201, "made"));
                var gateway = gateway(upstream, route())) {
            for (String path : List.of("/pay", "/other", "/pay")) {
                gateway.send(put(path));
            }
            gateway.send(put("/pay").by("delete"));
            gateway.send(put("/pay").without("Idempotency-Key"));
            gateway.send(put("/pay").by("GET"));

            await().until(() -> unprotected() == 4);
            assertThat(upstream.all()).hasSize(6);
            assertThat(log.lines()).hasSize(2);
            assertThat(log.lines().getFirst())
                    .startsWith("PUT /pay has an idempotency key")
                    .contains("gateway.others");
            assertThat(log.lines().getLast()).startsWith("DELETE /pay ");
        }
    }

    @Test
    void passedWhereTheFileSaysSo() throws Exception {
        try (var log = new CapturedWarningLines(UncoveredKeyReporter.class.getName());
                var upstream = new RawUpstream(RawUpstream.answering(201, "made"));
                var gateway = gateway(upstream, "gateway:\n  others: pass\n" + route())) {
            gateway.send(pay("one").to("/other"));

            assertThat(gateway.send(pay("one").to("/other")).replayed()).isFalse();
            assertThat(upstream.posts()).hasSize(2);
            assertThat(log.lines()).hasSize(1);
            await().until(() -> unprotected() == 2);
        }
    }

    @Test
    void refusedWhereTheFileSaysSo() throws Exception {
        try (var upstream = new RawUpstream(RawUpstream.answering(201, "made"));
                var gateway = gateway(upstream, "gateway:\n  others: refuse\n" + route())) {
            for (var request :
                    List.of(pay("one").to("/other"), put("/pay"), put("/pay").by("DELETE"))) {
                var refused = gateway.send(request);

                assertThat(refused.status()).as("%s", request).isEqualTo(400);
                assertThat(refused.body()).contains("key-not-honoured");
            }
            assertThat(upstream.all()).isEmpty();
            assertThat(gateway.send(put("/pay").without("Idempotency-Key")).status())
                    .isEqualTo(201);
            assertThat(gateway.send(pay("one")).status()).isEqualTo(201);
        }
    }
}
