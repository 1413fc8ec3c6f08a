package dev.refrain.http.cases;

import static dev.refrain.http.cases.EdgeTestHarness.newKey;
import static dev.refrain.http.cases.RawHttpRequest.post;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Cases of a duplicate while the first request is running. */
interface InFlightTestCases extends EdgeTestCases {

    @Test
    default void retryLearnsThatTheFirstOneRunsAndWhenToRetry() throws Exception {
        var request = post("/orders").key(newKey());
        try (var gate = harness().new BlockedHandler(TestHandlerResponse.of(200, "slow"))) {
            var first = harness().sendLater(request);
            gate.awaitEntered();

            var refused = harness().send(request);

            assertThat(refused.status()).isEqualTo(409);
            assertThat(refused.header("Retry-After")).hasValue("1");
            assertThat(refused.body()).contains("in-progress", "\"retryable\":true");
            gate.close();
            assertThat(first.get().body()).isEqualTo("slow");
        }
        assertThat(harness().send(request).replayed()).isTrue();
        assertThat(harness().runs()).isEqualTo(1);
    }

    @Test
    default void waiterIsGivenTheOutcome() throws Exception {
        var request = post("/wait").key(newKey());
        try (var gate = harness().new BlockedHandler(TestHandlerResponse.of(201, "worth waiting"))) {
            var first = harness().sendLater(request);
            gate.awaitEntered();
            var waiting = new ArrayList<CompletableFuture<RawHttpResponse>>();
            for (int i = 0; i < 20; i++) {
                waiting.add(harness().sendLater(request));
            }
            gate.close();

            assertThat(first.get(1, TimeUnit.MINUTES).body()).isEqualTo("worth waiting");
            for (var one : waiting) {
                var answer = one.get(1, TimeUnit.MINUTES);
                assertThat(answer.status()).isEqualTo(201);
                assertThat(answer.body()).isEqualTo("worth waiting");
                assertThat(answer.replayed()).isTrue();
            }
        }
        assertThat(harness().runs()).isEqualTo(1);
    }

    @Test
    default void waiterThatTimesOutIsAnsweredInProgress() throws Exception {
        var request = post("/wait-briefly").key(newKey());
        try (var gate = harness().new BlockedHandler(TestHandlerResponse.of(200, "slow"))) {
            var first = harness().sendLater(request);
            gate.awaitEntered();

            assertThat(harness().send(request).status()).isEqualTo(409);

            gate.close();
            assertThat(first.get().status()).isEqualTo(200);
        }
    }

    @Test
    default void oneOfAHundredTwinsRuns() throws Exception {
        harness()
                .setHandler(request ->
                        TestHandlerResponse.of(200, "run " + harness().runs()));
        var request = post("/wait").key(newKey());
        var twins = new ArrayList<CompletableFuture<RawHttpResponse>>();
        for (int i = 0; i < 100; i++) {
            twins.add(harness().sendLater(request));
        }

        for (var twin : twins) {
            assertThat(twin.get(1, TimeUnit.MINUTES).body()).isEqualTo("run 1");
        }
        assertThat(harness().runs()).isEqualTo(1);
    }

    @Test
    default void asyncTellsWhereToLookAndTheStatusIsTheOutcome() throws Exception {
        var request = post("/async").key(newKey());
        try (var gate =
                harness().new BlockedHandler(TestHandlerResponse.of(201, "made").with("Location", "/orders/9"))) {
            var first = harness().sendLater(request);
            gate.awaitEntered();

            var accepted = harness().send(request);

            assertThat(accepted.status()).isEqualTo(202);
            String status = accepted.header("Location").orElseThrow();
            var running = harness().send(post(status).by("GET"));
            assertThat(running.status()).isEqualTo(200);
            assertThat(running.body())
                    .contains("running", "\"operation\":\"POST /async\"", "\"ageSeconds\":", "\"began\":")
                    .doesNotContain("instance", "derivedKey");
            assertThat(harness().send(post(status).by("GET").as("bob")).status())
                    .as("another caller")
                    .isEqualTo(410);
            gate.close();
            assertThat(first.get().status()).isEqualTo(201);
            var done = harness().send(post(status).by("GET"));
            assertThat(done.status()).isEqualTo(201);
            assertThat(done.body()).isEqualTo("made");
            assertThat(done.header("Location")).hasValue("/orders/9");
            assertThat(done.replayed()).isTrue();
        }
    }

    @Test
    default void clientMayPreferAsync() throws Exception {
        var request = post("/orders").key(newKey());
        try (var gate = harness().new BlockedHandler(TestHandlerResponse.of(200, "slow"))) {
            var first = harness().sendLater(request);
            gate.awaitEntered();

            var accepted = harness().send(request.line("Prefer: respond-async, wait=10"));

            assertThat(accepted.status()).isEqualTo(202);
            assertThat(accepted.header("Preference-Applied")).hasValue("respond-async");
            gate.close();
            assertThat(first.get().status()).isEqualTo(200);
        }
    }

    @Test
    default void statusOfAReleasedRequestSaysThatItMayBeSentAgain() {
        harness().setHandler(TestHandlerResponse.of(503, "later"));
        String key = newKey();
        harness().send(post("/async").key(key));

        var status = harness()
                .send(post(dev.refrain.http.edge.ContractAndStatusPaths.DEFAULT.status(key))
                        .by("GET"));

        assertThat(status.status()).isEqualTo(200);
        assertThat(status.body()).contains("released");
        assertThat(harness()
                        .send(post(dev.refrain.http.edge.ContractAndStatusPaths.DEFAULT.status(newKey()))
                                .by("GET"))
                        .status())
                .isEqualTo(410);
    }
}
