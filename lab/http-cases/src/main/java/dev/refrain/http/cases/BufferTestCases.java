package dev.refrain.http.cases;

import static dev.refrain.http.cases.EdgeTestHarness.newKey;
import static dev.refrain.http.cases.RawHttpRequest.post;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.refrain.http.edge.BufferReservation;
import dev.refrain.observe.RefrainEvent;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Cases of the memory in which bodies are buffered. */
interface BufferTestCases extends EdgeTestCases {

    /** Takes all memory, as bodies of others would. */
    private BufferReservation full() {
        var others = harness().edge().budget().open("192.0.2.1");
        others.count(harness().edge().budget().maxBytes());
        return others;
    }

    @Test
    default void requestIsRefusedBeforeItIsSentIfThereIsNoMemory() throws Exception {
        var request = post("/orders").key(newKey()).json("{\"amount\":1}");
        try (var others = full();
                var wire = new RawHttpConnection(harness().edge().port())) {
            wire.write(request.line("Expect: 100-continue").head());
            var refused = wire.receive();

            assertThat(refused.status()).isEqualTo(503);
            assertThat(refused.body()).contains("urn:refrain:problem:buffers-full", "\"retryable\":true");
            assertThat(refused.header("Retry-After")).contains("1");
        }
        assertThat(harness().runs()).isZero();
        var later = harness().send(request);
        assertThat(later.status()).isEqualTo(200);
        assertThat(later.replayed()).as("nothing was claimed").isFalse();
    }

    @Test
    default void requestOfUnknownLengthIsRefusedIfThereIsNoMemory() {
        var request = post("/orders").key(newKey()).json("{\"amount\":1}").inChunks();
        try (var others = full()) {
            assertThat(harness().send(request).status()).isEqualTo(503);
        }
        assertThat(harness().runs()).isZero();
        assertThat(harness().send(request).replayed()).isFalse();
    }

    @Test
    default void requestsThatAreOnlyObservedPassWithoutMemory() {
        var body = "{\"text\":\"" + "x".repeat(30_000) + "\"}";
        try (var others = full()) {
            for (var request : new RawHttpRequest[] {
                post("/observe").key(newKey()).json(body),
                post("/observe").key(newKey()).json(body).inChunks()
            }) {
                assertThat(harness().send(request).status()).isEqualTo(200);
                assertThat(harness().lastAsked().body()).isEqualTo(body);
            }
        }
    }

    @Test
    default void requestsWithoutKeyPassWithoutMemory() {
        try (var others = full()) {
            assertThat(harness().send(post("/optional").json("{\"a\":1}")).status())
                    .isEqualTo(200);
        }
        assertThat(harness().lastAsked().body()).isEqualTo("{\"a\":1}");
    }

    @Test
    default void largeReplayIsRefusedIfThereIsNoMemory() {
        var large = "y".repeat(50_000);
        harness().setHandler(TestHandlerResponse.of(201, large));
        var request = post("/orders").key(newKey());
        assertThat(harness().send(request).body()).isEqualTo(large);
        try (var others = full()) {
            var refused = harness().send(request);
            assertThat(refused.status()).isEqualTo(503);
            assertThat(refused.body()).contains("buffers-full");
        }

        assertThat(harness().send(request).body()).isEqualTo(large);
        assertThat(harness().runs()).isEqualTo(1);
    }

    @Test
    default void smallResponseIsStoredAndReplayedWithoutMemory() throws Exception {
        var request = post("/orders").key(newKey()).json("{\"a\":1}");
        try (var blocked = harness().new BlockedHandler(TestHandlerResponse.of(201, "made"))) {
            var first = harness().sendLater(request);
            blocked.awaitEntered();
            try (var others = full()) {
                blocked.close();
                assertThat(first.get(1, TimeUnit.MINUTES).body()).isEqualTo("made");
            }
        }

        assertThat(harness().send(request).replayed()).isTrue();
    }

    @Test
    default void bodyIsHeldAsLongAsItsHandlerRuns() throws Exception {
        var budget = harness().edge().budget();
        try (var blocked = harness().new BlockedHandler(TestHandlerResponse.of(201, "made"))) {
            var answer = harness().sendLater(post("/orders").key(newKey()).json("\"" + "z".repeat(40_000) + "\""));
            blocked.awaitEntered();
            assertThat(budget.heldBytes()).isBetween(40_000L, 200_000L);

            blocked.close();
            assertThat(answer.get(1, TimeUnit.MINUTES).status()).isEqualTo(201);
        }
        await().untilAsserted(() -> assertThat(budget.heldBytes()).isZero());
    }

    @Test
    default void bodyOfARetryIsHeldAsLongAsItWaits() throws Exception {
        var budget = harness().edge().budget();
        var request = post("/wait").key(newKey()).json("\"" + "z".repeat(40_000) + "\"");
        try (var blocked = harness().new BlockedHandler(TestHandlerResponse.of(201, "made"))) {
            var first = harness().sendLater(request);
            blocked.awaitEntered();
            long alone = budget.heldBytes();
            var retry = harness().sendLater(request);
            await().until(() -> harness().events(RefrainEvent.Claimed.class).stream()
                    .anyMatch(claimed -> claimed.result() == RefrainEvent.ClaimResult.IN_PROGRESS));
            assertThat(budget.heldBytes()).isGreaterThanOrEqualTo(alone + 40_000);

            blocked.close();
            assertThat(first.get(1, TimeUnit.MINUTES).status()).isEqualTo(201);
            assertThat(retry.get(1, TimeUnit.MINUTES).replayed()).isTrue();
        }
        await().untilAsserted(() -> assertThat(budget.heldBytes()).isZero());
    }
}
