package dev.refrain.http.cases;

import static dev.refrain.http.cases.EdgeTestHarness.newKey;
import static dev.refrain.http.cases.RawHttpRequest.post;
import static org.assertj.core.api.Assertions.assertThat;

import dev.refrain.api.ScopedKey;
import dev.refrain.http.edge.RouteProtection;
import org.junit.jupiter.api.Test;

/** Other requests, other callers, too much. */
interface RefusalTestCases extends EdgeTestCases {

    private static void isReused(RawHttpResponse answer, int status) {
        assertThat(answer.status()).isEqualTo(status);
        assertThat(answer.body()).contains("urn:refrain:problem:key-reused", "\"status\":" + status);
    }

    @Test
    default void anotherRequestUnderTheKeyIsRefused() {
        String key = newKey();
        harness().send(post("/orders/1?dry=1").key(key).json("{\"amount\":1}"));

        isReused(harness().send(post("/orders/1?dry=1").key(key).json("{\"amount\":2}")), 422);
        isReused(harness().send(post("/orders/2?dry=1").key(key).json("{\"amount\":1}")), 422);
        isReused(harness().send(post("/orders/1?dry=2").key(key).json("{\"amount\":1}")), 422);
        isReused(harness().send(post("/orders/1").key(key).json("{\"amount\":1}")), 422);
        isReused(harness().send(post("/orders/1?dry=1").by("PATCH").key(key).json("{\"amount\":1}")), 422);
        isReused(harness().send(post("/optional").key(key).json("{\"amount\":1}")), 422);
        assertThat(harness().runs()).isEqualTo(1);
    }

    @Test
    default void sameJsonWrittenInAnotherWayIsTheSameRequest() {
        String key = newKey();
        harness().send(post("/orders").key(key).json("{\"a\":1,\"b\":[1.0,true]}"));

        assertThat(harness()
                        .send(post("/orders").key(key).json(" { \"b\" : [ 1, true ], \"a\" : 1 } "))
                        .replayed())
                .isTrue();
    }

    @Test
    default void fieldsThatDoNotCountMayDiffer() {
        String key = newKey();
        harness().send(post("/fields").key(key).json("{\"a\":1,\"sentAt\":\"10:00\"}"));

        assertThat(harness()
                        .send(post("/fields").key(key).json("{\"a\":1,\"sentAt\":\"10:01\"}"))
                        .replayed())
                .isTrue();
        isReused(harness().send(post("/fields").key(key).json("{\"a\":2,\"sentAt\":\"10:01\"}")), 422);
    }

    /** Elsewhere a mismatch while the first is in flight answers "in progress". */
    @Test
    default void anotherRequestIsRefusedAlsoWhileTheFirstOneRuns() throws Exception {
        String key = newKey();
        try (var gate = harness().new BlockedHandler(TestHandlerResponse.of(200, "slow"))) {
            var first = harness().sendLater(post("/orders").key(key).json("{\"a\":1}"));
            gate.awaitEntered();

            isReused(harness().send(post("/orders").key(key).json("{\"a\":2}")), 422);

            gate.close();
            assertThat(first.get().status()).isEqualTo(200);
        }
    }

    @Test
    default void profileSaysWhatAMismatchIs() {
        String key = newKey();
        harness().send(post("/stripe").key(key).json("{\"a\":1}"));
        isReused(harness().send(post("/stripe").key(key).json("{\"a\":2}")), 400);
        harness().send(post("/square").key(key + "s").json("{\"a\":1}"));
        isReused(harness().send(post("/square").key(key + "s").json("{\"a\":2}")), 409);
    }

    @Test
    default void oneCallersKeysAreNotAnothers() {
        var request = post("/orders").key(newKey());

        harness().send(request);
        var others = harness().send(request.as("bob"));

        assertThat(others.replayed()).isFalse();
        assertThat(others.status()).isEqualTo(200);
        assertThat(harness().runs()).isEqualTo(2);
    }

    @Test
    default void nobodyIsRefusedAndConsumesNoKey() {
        var request = post("/orders").key(newKey());

        var refused = harness().send(request.without("X-User"));

        assertThat(refused.status()).isEqualTo(401);
        assertThat(refused.body()).contains("caller-unknown");
        assertThat(harness().runs()).isZero();
        assertThat(harness().send(request).replayed()).isFalse();
    }

    @Test
    default void bodyOverTheLimitIsRefusedBeforeAnythingIsClaimed() {
        String key = newKey();
        var large = post("/small").key(key).json("{\"a\":\"" + "x".repeat(200) + "\"}");

        for (var request : new RawHttpRequest[] {large, large.inChunks()}) {
            var refused = harness().send(request);

            assertThat(refused.status()).isEqualTo(413);
            assertThat(refused.body()).contains("request-too-large");
        }
        assertThat(harness().runs()).isZero();
        assertThat(harness().refrain().admin().find(new ScopedKey("alice", RouteProtection.NAMESPACE, key)))
                .isEmpty();
        assertThat(harness().send(post("/small").key(key).json("{}")).status()).isEqualTo(200);
    }
}
