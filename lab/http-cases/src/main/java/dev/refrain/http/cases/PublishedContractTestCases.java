package dev.refrain.http.cases;

import static dev.refrain.http.cases.RawHttpRequest.post;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Cases of the published contract. */
interface PublishedContractTestCases extends EdgeTestCases {

    @Test
    default void contractOfEveryRouteIsPublishedForPeople() {
        var page = harness().send(post("/refrain/contract").by("GET").without("X-User"));

        assertThat(page.status()).isEqualTo(200);
        assertThat(page.header("Content-Type").orElse("")).startsWith("text/html");
        assertThat(page.body()).contains("POST /strict", "24 h", "id=\"key-missing\"");
    }

    @Test
    default void contractOfEveryRouteIsPublishedForMachines() {
        var json = harness().send(post("/refrain/contract.json").by("GET").without("X-User"));

        assertThat(json.status()).isEqualTo(200);
        assertThat(json.header("Content-Type").orElse("")).startsWith("application/json");
        assertThat(json.body()).contains("\"path\" : \"/strict\"", "urn:refrain:problem:in-progress");
    }

    /** What the client of such a route sees of a failure is stored, whatever the profile says of failures. */
    @Test
    default void routeThatHoldsDoesNotPublishThatFailuresRunAgain() {
        var json = harness()
                .send(post("/refrain/contract.json").by("GET").without("X-User"))
                .body();
        String holding = json.substring(json.indexOf("\"path\" : \"/hold\""));
        int next = holding.indexOf("\"operation\"");
        holding = next < 0 ? holding : holding.substring(0, next);

        assertThat(holding).contains("hold after a crash").doesNotContain("\"kept\" : \"default\"", "a retry runs\"");
        assertThat(holding).containsPattern("\"kept\" : \"every response");
    }
}
