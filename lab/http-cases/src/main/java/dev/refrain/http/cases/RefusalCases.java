package dev.refrain.http.cases;

import static dev.refrain.http.cases.RawRequest.post;
import static dev.refrain.http.cases.Stage.newKey;
import static org.assertj.core.api.Assertions.assertThat;

import dev.refrain.http.Protection;
import dev.refrain.key.Identity;
import org.junit.jupiter.api.Test;

/** Other requests, other callers, too much. */
interface RefusalCases extends Cases {

    private static void isReused(RawAnswer answer, int status) {
        assertThat(answer.status()).isEqualTo(status);
        assertThat(answer.body()).contains("urn:refrain:problem:key-reused", "\"status\":" + status);
    }

    @Test
    default void anotherRequestUnderTheKeyIsRefused() {
        String key = newKey();
        stage().send(post("/orders/1?dry=1").key(key).json("{\"amount\":1}"));

        isReused(stage().send(post("/orders/1?dry=1").key(key).json("{\"amount\":2}")), 422);
        isReused(stage().send(post("/orders/2?dry=1").key(key).json("{\"amount\":1}")), 422);
        isReused(stage().send(post("/orders/1?dry=2").key(key).json("{\"amount\":1}")), 422);
        isReused(stage().send(post("/orders/1").key(key).json("{\"amount\":1}")), 422);
        isReused(stage().send(post("/orders/1?dry=1").by("PATCH").key(key).json("{\"amount\":1}")), 422);
        isReused(stage().send(post("/optional").key(key).json("{\"amount\":1}")), 422);
        assertThat(stage().runs()).isEqualTo(1);
    }

    @Test
    default void theSameJsonWrittenInAnotherWayIsTheSameRequest() {
        String key = newKey();
        stage().send(post("/orders").key(key).json("{\"a\":1,\"b\":[1.0,true]}"));

        assertThat(stage().send(post("/orders").key(key).json(" { \"b\" : [ 1, true ], \"a\" : 1 } "))
                        .replayed())
                .isTrue();
    }

    @Test
    default void fieldsThatDoNotCountMayDiffer() {
        String key = newKey();
        stage().send(post("/fields").key(key).json("{\"a\":1,\"sentAt\":\"10:00\"}"));

        assertThat(stage().send(post("/fields").key(key).json("{\"a\":1,\"sentAt\":\"10:01\"}"))
                        .replayed())
                .isTrue();
        isReused(stage().send(post("/fields").key(key).json("{\"a\":2,\"sentAt\":\"10:01\"}")), 422);
    }

    /** Elsewhere a mismatch while the first is in flight answers "in progress". */
    @Test
    default void anotherRequestIsRefusedAlsoWhileTheFirstOneRuns() throws Exception {
        String key = newKey();
        try (var gate = stage().new Gate(Given.of(200, "slow"))) {
            var first = stage().sendLater(post("/orders").key(key).json("{\"a\":1}"));
            gate.awaitEntered();

            isReused(stage().send(post("/orders").key(key).json("{\"a\":2}")), 422);

            gate.close();
            assertThat(first.get().status()).isEqualTo(200);
        }
    }

    @Test
    default void aProfileSaysWhatAMismatchIs() {
        String key = newKey();
        stage().send(post("/stripe").key(key).json("{\"a\":1}"));
        isReused(stage().send(post("/stripe").key(key).json("{\"a\":2}")), 400);
        stage().send(post("/square").key(key + "s").json("{\"a\":1}"));
        isReused(stage().send(post("/square").key(key + "s").json("{\"a\":2}")), 409);
    }

    @Test
    default void oneCallersKeysAreNotAnothers() {
        var request = post("/orders").key(newKey());

        stage().send(request);
        var others = stage().send(request.as("bob"));

        assertThat(others.replayed()).isFalse();
        assertThat(others.status()).isEqualTo(200);
        assertThat(stage().runs()).isEqualTo(2);
    }

    @Test
    default void nobodyIsRefusedAndConsumesNoKey() {
        var request = post("/orders").key(newKey());

        var refused = stage().send(request.without("X-User"));

        assertThat(refused.status()).isEqualTo(401);
        assertThat(refused.body()).contains("caller-unknown");
        assertThat(stage().runs()).isZero();
        assertThat(stage().send(request).replayed()).isFalse();
    }

    @Test
    default void aBodyOverTheLimitIsRefusedBeforeAnythingIsClaimed() {
        String key = newKey();
        var large = post("/small").key(key).json("{\"a\":\"" + "x".repeat(200) + "\"}");

        for (var request : new RawRequest[] {large, large.inChunks()}) {
            var refused = stage().send(request);

            assertThat(refused.status()).isEqualTo(413);
            assertThat(refused.body()).contains("request-too-large");
        }
        assertThat(stage().runs()).isZero();
        assertThat(stage().refrain().operators().find(new Identity("alice", Protection.NAMESPACE, key)))
                .isEmpty();
        assertThat(stage().send(post("/small").key(key).json("{}")).status()).isEqualTo(200);
    }
}
