package dev.refrain.http.cases;

import static dev.refrain.http.cases.EdgeTestHarness.newKey;
import static dev.refrain.http.cases.RawHttpRequest.post;
import static org.assertj.core.api.Assertions.assertThat;

import dev.refrain.http.edge.ContractAndStatusPaths;
import org.junit.jupiter.api.Test;

/** An edge that is not at the root of its server but below {@link #PATH}: what clients are told to look at is there. */
public interface ContextPathTestCases extends EdgeTestCases {

    String PATH = "/app";

    private RawHttpResponse linkedFrom(RawHttpResponse refused) {
        String link = refused.header("Link").orElseThrow();
        return harness().send(post(link.substring(1, link.indexOf('#'))).by("GET"));
    }

    @Test
    default void refusalLinksToTheContract() {
        var refused = harness().send(post(PATH + "/orders"));

        assertThat(refused.status()).isEqualTo(400);
        assertThat(linkedFrom(refused).body()).contains("Idempotency keys of this API");
        assertThat(harness().runs()).isZero();
    }

    @Test
    default void refusalOfTheStatusLinksToTheContract() {
        var unknown = harness()
                .send(post(PATH + ContractAndStatusPaths.DEFAULT.status(newKey()))
                        .by("GET"));

        assertThat(unknown.status()).isEqualTo(410);
        assertThat(linkedFrom(unknown).status()).isEqualTo(200);
    }

    @Test
    default void acceptedRequestLinksToItsStatus() throws Exception {
        var request = post(PATH + "/async").key(newKey());
        try (var gate = harness().new BlockedHandler(TestHandlerResponse.of(201, "made"))) {
            var first = harness().sendLater(request);
            gate.awaitEntered();

            String status = harness().send(request).header("Location").orElseThrow();

            assertThat(harness().send(post(status).by("GET")).body()).contains("running");
            gate.close();
            assertThat(first.get().status()).isEqualTo(201);
            assertThat(harness().send(post(status).by("GET")).body()).isEqualTo("made");
        }
    }

    @Test
    default void contractNamesPathsAsTheyAreSent() {
        var json = harness()
                .send(post(PATH + ContractAndStatusPaths.DEFAULT.contractJson()).by("GET"));
        var page = harness()
                .send(post(PATH + ContractAndStatusPaths.DEFAULT.contract()).by("GET"));

        assertThat(json.body()).contains("\"path\" : \"" + PATH + "/strict\"");
        assertThat(page.body()).contains("POST " + PATH + "/strict", "href=\"" + PATH + "/refrain/contract.json\"");
    }
}
