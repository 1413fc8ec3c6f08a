package dev.refrain.http.cases;

import static dev.refrain.http.cases.RawRequest.post;
import static dev.refrain.http.cases.Stage.newKey;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.refrain.http.Protection;
import dev.refrain.key.Identity;
import dev.refrain.observe.Event;
import dev.refrain.store.State;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The store is away, slow, or does not know. */
interface FailureCases extends Cases {

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
        assertThat(harness().events(Event.FailedOpen.class)).hasSize(1);
    }

    /** Elsewhere the answer goes to the client before it is stored. */
    @Test
    default void nothingReachesTheClientBeforeItIsStored() throws Exception {
        for (var way : harness().edge().supportedStyles()) {
            if (!way.answers()) {
                continue;
            }
            harness().setHandler(Given.of(200, "stored first").via(way));
            harness().troubled().blockWrites();
            try (var wire = new Wire(harness().edge().port())) {
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
    default void anUnknownOutcomeIsToldAsSuchAndNeverRunsAgain() throws Exception {
        String key = newKey();
        var request = post("/hold").key(key);
        var identity = new Identity("alice", Protection.NAMESPACE, key);
        try (var gate = harness().new Gate(Given.of(200, "late"))) {
            var first = harness().sendLater(request);
            gate.awaitEntered();

            var told = await().atMost(Duration.ofSeconds(10))
                    .until(() -> harness().send(request), answer -> answer.body().contains("outcome-unknown"));

            assertThat(told.status()).isEqualTo(409);
            assertThat(told.body()).contains("\"retryable\":false");
            assertThat(harness().runs()).isEqualTo(1);
            gate.close();
            first.get(10, TimeUnit.SECONDS);
        }
        await().untilAsserted(() -> assertThat(harness().refrain()
                        .admin()
                        .find(identity)
                        .orElseThrow()
                        .state())
                .isIn(State.ATTENTION, State.COMPLETED));
        assertThat(harness().runs()).isEqualTo(1);
    }
}
