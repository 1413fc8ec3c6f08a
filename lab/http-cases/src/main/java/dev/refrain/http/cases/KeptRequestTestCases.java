package dev.refrain.http.cases;

import static dev.refrain.http.cases.EdgeTestHarness.newKey;
import static dev.refrain.http.cases.RawHttpRequest.post;
import static org.assertj.core.api.Assertions.assertThat;

import dev.refrain.api.ScopedKey;
import dev.refrain.http.KeptRequest;
import dev.refrain.http.edge.ContractAndStatusPaths;
import dev.refrain.http.edge.RouteProtection;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Cases of a request that is kept for people until its key is settled. */
interface KeptRequestTestCases extends EdgeTestCases {

    private Optional<KeptRequest> kept(String key) {
        return harness()
                .refrain()
                .admin()
                .findKeptRequest(new ScopedKey("alice", RouteProtection.NAMESPACE, key))
                .map(payload -> KeptRequest.decode(payload).orElseThrow());
    }

    @Test
    default void requestIsKeptWhileItRunsAndTheHandlerStillReadsIt() throws Exception {
        String key = newKey();
        var request = post("/kept?token=secret")
                .key(key)
                .line("Authorization: Bearer secret")
                .line("Cookie: session=secret")
                .line("User-Agent: cases")
                .json("{\"amount\":1,\"card\":{\"number\":\"4242\"}}");
        try (var gate = harness().new BlockedHandler(TestHandlerResponse.of(200, "paid"))) {
            var first = harness().sendLater(request);
            gate.awaitEntered();

            var kept = kept(key).orElseThrow();
            assertThat(kept.method()).isEqualTo("POST");
            assertThat(kept.target()).isEqualTo("/kept?…");
            assertThat(kept.headers())
                    .contains(
                            new KeptRequest.SentHeader("Content-Type", "application/json"),
                            new KeptRequest.SentHeader("User-Agent", "cases"))
                    .noneMatch(header -> header.value().contains("secret"));
            assertThat(kept.bodyText()).contains("{\"amount\":1,\"card\":{\"number\":\"[redacted]\"}}");
            var status = harness()
                    .send(post(ContractAndStatusPaths.DEFAULT.status(key)).by("GET"));
            assertThat(status.body()).doesNotContain("amount").doesNotContain("redacted");

            gate.close();
            assertThat(first.get(1, TimeUnit.MINUTES).body()).isEqualTo("paid");
        }
        assertThat(harness().lastAsked().body()).contains("4242");
        assertThat(kept(key)).isEmpty();
    }

    @Test
    default void requestIsNotKeptInTheClearUnlessItsRouteSaysSo() throws Exception {
        String key = newKey();
        try (var gate = harness().new BlockedHandler(TestHandlerResponse.of(200, "paid"))) {
            var first = harness().sendLater(post("/orders").key(key).json("{\"amount\":1}"));
            gate.awaitEntered();

            assertThat(kept(key)).isEmpty();

            gate.close();
            assertThat(first.get(1, TimeUnit.MINUTES).body()).isEqualTo("paid");
        }
    }
}
