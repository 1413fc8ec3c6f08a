package dev.refrain.http.cases;

import static dev.refrain.http.cases.EdgeTestHarness.newKey;
import static dev.refrain.http.cases.RawHttpRequest.post;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.refrain.api.ScopedKey;
import dev.refrain.http.edge.RouteProtection;
import dev.refrain.observe.RefrainEvent;
import dev.refrain.store.RecordState;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The store is away, slow, or does not know. */
interface StoreFailureTestCases extends EdgeTestCases {

    @Test
    default void withoutItsStoreNothingRuns() {
        harness().troubled().startOutage();

        var refused = harness().send(post("/impatient").key(newKey()));

        assertThat(refused.status()).isEqualTo(503);
        assertThat(refused.header("Retry-After")).isPresent();
        assertThat(refused.body())
                .contains("store-unavailable", "\"retryable\":true")
                .doesNotContain("The store is away");
        assertThat(harness().runs()).isZero();
    }

    @Test
    default void failingOpenRunsAndSaysSo() {
        harness().troubled().startOutage();

        assertThat(harness().send(post("/fail-open").key(newKey())).status()).isEqualTo(200);

        assertThat(harness().runs()).isEqualTo(1);
        assertThat(harness().events(RefrainEvent.FailedOpen.class)).hasSize(1);
    }

    /** It ran, and the store does not confirm what came of it. */
    @Test
    default void unconfirmedOutcomeIsLoggedWithItsRequestItsKeyAndWhatToDo() {
        String key = newKey();
        harness().setHandler(request -> {
            harness().troubled().startOutage();
            return TestHandlerResponse.of(200, "paid");
        });
        try (var log = new CapturedWarningLines(CapturedWarningLines.UNKNOWN_OUTCOMES)) {
            var told = harness().send(post("/short-lease?card=4111").key(key));

            assertThat(told.status()).isEqualTo(503);
            assertThat(told.body()).contains("outcome-unconfirmed").doesNotContain("paid");
            assertThat(log.containing(", key " + key.substring(0, 4) + "…"))
                    .singleElement()
                    .asString()
                    .startsWith("Unconfirmed outcome of POST /short-lease, key ")
                    .contains(", record ", "A retry under the same key learns it", "Check the store.")
                    .doesNotContain(key, "4111", "Exception", "The store is away");
        }
    }

    /** Elsewhere the answer goes to the client before it is stored. */
    @Test
    default void nothingReachesTheClientBeforeItIsStored() throws Exception {
        for (var way : harness().edge().supportedStyles()) {
            if (!way.answers()) {
                continue;
            }
            harness().setHandler(TestHandlerResponse.of(200, "stored first").via(way));
            harness().troubled().blockWrites();
            try (var wire = new RawHttpConnection(harness().edge().port())) {
                wire.send(post("/orders").key(newKey()));

                assertThat(wire.isSilentFor(250)).as("%s", way).isTrue();

                harness().troubled().unblockWrites();
                assertThat(wire.receive().body()).isEqualTo("stored first");
            } catch (Throwable e) {
                harness().troubled().unblockWrites();
                throw e;
            }
        }
    }

    /** A handler that runs for longer than it may: its lease ends, and nobody knows what it did. */
    @Test
    default void unknownOutcomeIsReportedAndNeverRunsAgain() throws Exception {
        String key = newKey();
        var request = post("/hold-briefly").key(key);
        var identity = new ScopedKey("alice", RouteProtection.NAMESPACE, key);
        try (var gate = harness().new BlockedHandler(TestHandlerResponse.of(200, "late"))) {
            var first = harness().sendLater(request);
            gate.awaitEntered();

            var told = await().until(
                            () -> harness().send(request),
                            answer -> answer.body().contains("outcome-unknown"));

            assertThat(told.status()).isEqualTo(409);
            assertThat(told.body()).contains("\"retryable\":false");
            assertThat(harness().runs()).isEqualTo(1);
            gate.close();
            first.get(1, TimeUnit.MINUTES);
        }
        await().untilAsserted(() -> assertThat(
                        harness().refrain().admin().find(identity).orElseThrow().state())
                .isIn(RecordState.ATTENTION, RecordState.COMPLETED));
        assertThat(harness().runs()).isEqualTo(1);
    }
}
