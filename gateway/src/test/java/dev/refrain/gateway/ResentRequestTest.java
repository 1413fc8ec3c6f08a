package dev.refrain.gateway;

import static dev.refrain.gateway.GatewayUnderTest.pay;
import static dev.refrain.gateway.GatewayUnderTest.route;
import static org.assertj.core.api.Assertions.assertThat;

import dev.refrain.store.RecordState;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What was sent once without an answer may have taken effect, whatever comes of sending it again. */
class ResentRequestTest {

    private static final String HONOURED = route("upstream-honours-keys: 24h");

    private final String key = UUID.randomUUID().toString();

    @Test
    void retryThatCannotBeSentDoesNotSayThatNothingWasSent() throws Exception {
        try (var nobody = new UnansweredPort();
                var upstream = new RawUpstream((request, socket) -> RawUpstream.reset(socket));
                var gateway = new GatewayUnderTest(upstream.address(), HONOURED)) {
            assertThat(gateway.send(pay(key)).status()).isEqualTo(504);
            gateway.server()
                    .reload(GatewayUnderTest.reader("http://127.0.0.1:" + nobody.number())
                            .read(GatewayUnderTest.scoped(HONOURED))
                            .reloadable());

            var retried = gateway.send(pay(key));

            assertThat(retried.status()).isEqualTo(504);
            assertThat(retried.body()).contains("upstream-unanswered").doesNotContain("Nothing was sent");
            assertThat(gateway.state(key)).hasValue(RecordState.RELEASED);
        }
    }

    @Test
    void firstRequestThatCannotBeSentSaysSo() throws Exception {
        try (var nobody = new UnansweredPort();
                var gateway = new GatewayUnderTest("http://127.0.0.1:" + nobody.number(), HONOURED)) {
            var refused = gateway.send(pay(key));

            assertThat(refused.status()).isEqualTo(502);
            assertThat(refused.body()).contains("Nothing was sent");
        }
    }

    @Test
    void refusalAfterAnUnansweredCallIsPassedAndNotKept() throws Exception {
        var calls = new AtomicInteger();
        try (var upstream = new RawUpstream((request, socket) -> {
                    switch (calls.incrementAndGet()) {
                        case 1 -> RawUpstream.reset(socket);
                        case 2, 3 -> RawUpstream.answer(socket, 401, "who are you?");
                        default -> RawUpstream.answer(socket, 201, "made");
                    }
                });
                var gateway = new GatewayUnderTest(upstream.address(), HONOURED)) {
            for (int i = 0; i < 2; i++) {
                assertThat(gateway.send(pay(key)).status()).isEqualTo(401);
                assertThat(gateway.state(key)).hasValue(RecordState.RELEASED);
            }

            assertThat(gateway.send(pay(key)).status()).isEqualTo(201);
            assertThat(gateway.send(pay(key)).replayed()).isTrue();
        }
    }
}
