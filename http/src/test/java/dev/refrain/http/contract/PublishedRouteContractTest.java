package dev.refrain.http.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.refrain.api.LeaseExpiryPolicy;
import dev.refrain.http.KeyRequirement;
import dev.refrain.http.OperationMode;
import dev.refrain.http.Route;
import dev.refrain.http.RoutePolicy;
import dev.refrain.http.edge.RefrainEndpointPaths;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What is published promises nothing that is not kept. */
class PublishedRouteContractTest {

    private static final RoutePolicy PROTECTED = RoutePolicy.of(OperationMode.leased(LeaseExpiryPolicy.RESUME));
    private static final RoutePolicy OBSERVED = PROTECTED.key(key -> key.with(KeyRequirement.OBSERVE));

    @Test
    void whereKeysAreOnlyObservedNobodyIsPromisedTheSameAnswer() {
        var page = new PublishedRouteContract(
                        List.of(Route.of("POST /notes", OBSERVED)), new RefrainEndpointPaths("/refrain"))
                .html();

        assertThat(new String(page.body().bytes(), StandardCharsets.UTF_8)).contains("a retry runs again");
        assertThat(PublishedRouteContract.describe(OBSERVED))
                .contains("runs again")
                .doesNotContain("same answer");
        assertThat(PublishedRouteContract.describe(PROTECTED)).contains("PT24H; a retry is given the same answer");
    }

    @Test
    void toObserveRefusesNothing() {
        assertThat(PublishedRouteContract.refusals(OBSERVED)).isEmpty();
        assertThat(PublishedRouteContract.isRequired(OBSERVED)).isFalse();
        assertThat(PublishedRouteContract.refusals(PROTECTED))
                .extracting(PublishedRouteContract.Refusal::status)
                .containsExactly(400, 409, 413, 422, 503);
    }
}
