package dev.refrain.gateway.internal.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.refrain.api.LeaseExpiryPolicy;
import dev.refrain.gateway.internal.config.UpstreamPolicy.ForwardedKey;
import dev.refrain.gateway.internal.config.UpstreamPolicy.ServerErrorMeaning;
import dev.refrain.gateway.internal.config.UpstreamPolicy.UnansweredPolicy;
import dev.refrain.http.KeyRequirement;
import dev.refrain.http.OperationMode;
import dev.refrain.http.RoutePolicy;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What a route of the gateway publishes is what becomes of its requests. */
class UpstreamPolicyTest {

    private static final RoutePolicy HOLDING = RoutePolicy.of(OperationMode.leased(LeaseExpiryPolicy.HOLD));

    @Test
    void routeThatHoldsPublishesThatServerErrorsAreUnknown() {
        var outcomes = UpstreamPolicy.DEFAULT.outcomes(HOLDING);

        assertThat(outcomes.kept()).isEqualTo("every response but 401, 408, 425, 429 (a retry runs)");
        assertThat(outcomes.failures()).isEqualTo("5xx or no answer: outcome-unknown, a retry is never sent");
    }

    @Test
    void routeThatResendsPublishesIt() {
        var resending = new UpstreamPolicy(
                ForwardedKey.DERIVED,
                new UnansweredPolicy.Resend(Duration.ofHours(24)),
                ServerErrorMeaning.ANSWER,
                Set.of(401),
                Duration.ofSeconds(30));
        var outcomes = resending.outcomes(RoutePolicy.of(OperationMode.leased(LeaseExpiryPolicy.RESUME)));

        assertThat(outcomes.kept()).isEqualTo("default but 401 (a retry runs)");
        assertThat(outcomes.failures()).isEqualTo("no answer: sent again under the same key");
    }

    @Test
    void observedRoutePublishesThatNothingIsKept() {
        assertThat(UpstreamPolicy.DEFAULT
                        .outcomes(HOLDING.key(key -> key.with(KeyRequirement.OBSERVE)))
                        .kept())
                .startsWith("nothing");
    }
}
