package dev.refrain.gateway;

import static dev.refrain.gateway.GatewayUnderTest.pay;
import static dev.refrain.gateway.GatewayUnderTest.route;
import static org.assertj.core.api.Assertions.assertThat;

import dev.refrain.store.RecordState;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A service that refuses a request before any effect leaves its key free. */
class RefusedByServiceTest {

    private final String key = UUID.randomUUID().toString();

    @ParameterizedTest
    @ValueSource(
            strings = {
                "retention: 24h",
                "nothing-happened-on: [503]",
                "nothing-happened-on: []",
                "upstream-honours-keys: 24h",
                "profile: stripe"
            })
    void freshTokenIsNotGivenTheRefusalOfTheOldOne(String setting) throws Exception {
        try (var upstream = new RawUpstream(RawUpstream.answering(401, "who are you?"));
                var gateway = new GatewayUnderTest(upstream.address(), route(setting))) {
            var refused = gateway.send(pay(key).line("Authorization: Bearer old"));
            assertThat(refused.status()).isEqualTo(401);
            assertThat(refused.body()).isEqualTo("who are you?");
            assertThat(gateway.state(key)).hasValue(RecordState.RELEASED);
            upstream.from(RawUpstream.answering(201, "made"));

            var again = gateway.send(pay(key).line("Authorization: Bearer fresh"));

            assertThat(again.status()).isEqualTo(201);
            assertThat(upstream.posts()).hasSize(2);
        }
    }

    @Test
    void forbiddenRequestIsReleasedOnlyWhereTheRouteSaysThatItHadNoEffect() throws Exception {
        try (var upstream = new RawUpstream(RawUpstream.answering(403, "no"))) {
            try (var gateway = new GatewayUnderTest(upstream.address(), route())) {
                gateway.send(pay(key));
                assertThat(gateway.state(key)).hasValue(RecordState.COMPLETED);
            }
            try (var gateway = new GatewayUnderTest(upstream.address(), route("nothing-happened-on: [403]"))) {
                gateway.send(pay(key));
                assertThat(gateway.state(key)).hasValue(RecordState.RELEASED);
            }
        }
    }
}
