package dev.refrain.http.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.refrain.api.LeaseExpiryPolicy;
import dev.refrain.http.HandlerRunPolicy;
import dev.refrain.http.KeyRequirement;
import dev.refrain.http.OperationMode;
import dev.refrain.http.OutcomeProfile;
import dev.refrain.http.ReplayPolicy;
import dev.refrain.http.Route;
import dev.refrain.http.RoutePolicy;
import dev.refrain.http.edge.ContractAndStatusPaths;
import dev.refrain.http.edge.EdgeResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What is published promises nothing that is not kept. */
class PublishedRouteContractTest {

    private static final RoutePolicy PROTECTED = RoutePolicy.of(OperationMode.leased(LeaseExpiryPolicy.RESUME));
    private static final RoutePolicy OBSERVED = PROTECTED.key(key -> key.with(KeyRequirement.OBSERVE));

    @Test
    void observedRoutePromisesNoReplay() {
        var page = new PublishedRouteContract(
                        List.of(Route.of("POST /notes", OBSERVED)), new ContractAndStatusPaths("/refrain"))
                .html();

        assertThat(new String(page.body().bytes(), StandardCharsets.UTF_8)).contains("a retry runs again");
        assertThat(PublishedRouteContract.describe(OBSERVED))
                .contains("runs again")
                .doesNotContain("same response");
        assertThat(PublishedRouteContract.describe(PROTECTED)).contains("24 h; a retry gets the same response");
    }

    @Test
    void observedRouteRefusesNothing() {
        assertThat(PublishedRouteContract.refusals(OBSERVED)).isEmpty();
        assertThat(PublishedRouteContract.isRequired(OBSERVED)).isFalse();
        assertThat(PublishedRouteContract.refusals(PROTECTED))
                .extracting(PublishedRouteContract.Refusal::status)
                .containsExactly(400, 409, 413, 422, 503);
    }

    /** A 503 of a transactional route is also sent after a rollback, and of any route while the outcome is not confirmed. */
    @Test
    void unavailableRouteIsNotPublishedAsNeverRun() {
        var unavailable = PublishedRouteContract.refusals(RoutePolicy.of(OperationMode.transactional()))
                .getLast();

        assertThat(unavailable.status()).isEqualTo(503);
        assertThat(unavailable.description())
                .contains("was rolled back", "not confirmed", "the problem says which", "same key is safe");
    }

    @Test
    void routeThatDemandsACorrectStorePublishesIt() {
        var demanding = PROTECTED.run(HandlerRunPolicy::withRequireCorrectStore);
        var contract = new PublishedRouteContract(
                List.of(Route.of("POST /payments", demanding)), new ContractAndStatusPaths("/refrain"));
        var silent = new PublishedRouteContract(
                List.of(Route.of("POST /notes", PROTECTED)), new ContractAndStatusPaths("/refrain"));

        assertThat(text(contract.json())).contains("\"requireCorrectStore\" : true");
        assertThat(text(contract.html())).contains("only on a correct store");
        assertThat(text(silent.json())).doesNotContain("orrectStore");
        assertThat(text(silent.html())).doesNotContain("correct store");
    }

    private static String text(EdgeResponse page) {
        return new String(page.body().bytes(), StandardCharsets.UTF_8);
    }

    /** The profile decides only where a response that it does not keep lets a retry run. */
    @Test
    void storedResponsesAreThoseOfTheModeAndNotOfTheProfileAlone() {
        var holding = RoutePolicy.of(OperationMode.leased(LeaseExpiryPolicy.HOLD));
        assertThat(PublishedOutcomes.of(PROTECTED))
                .isEqualTo(new PublishedOutcomes("default", "not stored; a retry runs"));
        assertThat(PublishedOutcomes.of(PROTECTED.replay(replay -> replay.with(OutcomeProfile.STRIPE))))
                .isEqualTo(new PublishedOutcomes("stripe", "stored as a 500"));
        assertThat(PublishedOutcomes.of(RoutePolicy.of(OperationMode.transactional()))
                        .kept())
                .isEqualTo("default");
        assertThat(PublishedOutcomes.of(holding).kept()).isEqualTo("every response");
        assertThat(PublishedOutcomes.of(holding).failures()).contains("a retry never runs again");
        assertThat(PublishedOutcomes.of(RoutePolicy.of(OperationMode.flow())).kept())
                .isEqualTo("the result of the flow");
        assertThat(PublishedOutcomes.of(OBSERVED).kept()).startsWith("nothing");
        var stateOnly = PROTECTED.replay(ReplayPolicy::withKeepStateOnly);
        assertThat(PublishedOutcomes.of(stateOnly).kept()).isEqualTo("default, without its content");
        assertThat(PublishedRouteContract.describe(stateOnly)).doesNotContain("same response");
    }
}
