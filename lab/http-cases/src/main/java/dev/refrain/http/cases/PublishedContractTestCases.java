package dev.refrain.http.cases;

import static dev.refrain.http.cases.RawHttpRequest.post;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Cases of the published contract. */
interface PublishedContractTestCases extends EdgeTestCases {

    @Test
    default void theContractOfEveryRouteIsPublishedForPeople() {
        var page = harness().send(post("/refrain/contract").by("GET").without("X-User"));

        assertThat(page.status()).isEqualTo(200);
        assertThat(page.header("Content-Type").orElse("")).startsWith("text/html");
        assertThat(page.body()).contains("POST /strict", "PT24H", "id=\"key-missing\"");
    }

    @Test
    default void theContractOfEveryRouteIsPublishedForMachines() {
        var json = harness().send(post("/refrain/contract.json").by("GET").without("X-User"));

        assertThat(json.status()).isEqualTo(200);
        assertThat(json.header("Content-Type").orElse("")).startsWith("application/json");
        assertThat(json.body()).contains("\"path\" : \"/strict\"", "urn:refrain:problem:in-progress");
    }
}
