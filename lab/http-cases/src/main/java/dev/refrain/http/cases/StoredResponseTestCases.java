package dev.refrain.http.cases;

import static dev.refrain.http.cases.EdgeTestHarness.newKey;
import static dev.refrain.http.cases.RawHttpRequest.post;
import static org.assertj.core.api.Assertions.assertThat;

import dev.refrain.OperationCall;
import dev.refrain.api.Claim;
import dev.refrain.api.LeaseExpiryPolicy;
import dev.refrain.api.ScopedKey;
import dev.refrain.api.TraceId;
import dev.refrain.http.edge.ContractAndStatusPaths;
import dev.refrain.http.edge.RouteProtection;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

/** Which answers are kept. */
interface StoredResponseTestCases extends EdgeTestCases {

    private boolean isKept(String route, TestHandlerResponse given) {
        harness().setHandler(given);
        var request = post(route).key(newKey());
        int before = harness().runs();
        var first = harness().send(request);
        assertThat(first.status()).isEqualTo(given.status());
        var again = harness().send(request);
        assertThat(again.status()).isEqualTo(given.status());
        assertThat(harness().runs() - before).isEqualTo(again.replayed() ? 1 : 2);
        return again.replayed();
    }

    private boolean isKept(String route, int status) {
        return isKept(route, TestHandlerResponse.of(status, "said " + status));
    }

    @Test
    default void byDefaultWhatMayPassIsNotKept() {
        for (int status : new int[] {408, 409, 425, 429, 500, 502, 503, 599}) {
            assertThat(isKept("/orders", status)).as("%s", status).isFalse();
        }
        for (int status : new int[] {200, 301, 400, 404, 422}) {
            assertThat(isKept("/orders", status)).as("%s", status).isTrue();
        }
    }

    @Test
    default void stripeKeepsEverythingOnceTheWorkBegan() {
        assertThat(isKept("/stripe", 500)).isTrue();
        assertThat(isKept("/stripe", 409)).isTrue();
        assertThat(isKept("/stripe", 429)).isFalse();
    }

    @Test
    default void otherProfilesKeepWhatTheySay() {
        assertThat(isKept("/square", 402)).isTrue();
        assertThat(isKept("/square", 500)).isFalse();
        assertThat(isKept("/success-only", 201)).isTrue();
        assertThat(isKept("/success-only", 404)).isFalse();
        assertThat(isKept("/adyen", 500)).isTrue();
        assertThat(isKept("/adyen", TestHandlerResponse.of(500, "later").with("Transient-Error", "true")))
                .isFalse();
    }

    private void assumeStyle(HandlerResponseStyle style) {
        Assumptions.assumeTrue(
                harness().edge().supportedStyles().contains(style),
                "a handler behind this edge cannot answer in the style " + style);
    }

    @Test
    default void errorSentInTheFrameworksWayIsKeptOrNotLikeAnyOther() {
        assumeStyle(HandlerResponseStyle.ERROR);
        harness().setHandler(TestHandlerResponse.of(404, "no such order").via(HandlerResponseStyle.ERROR));
        var request = post("/orders").key(newKey());

        var first = harness().send(request);
        var again = harness().send(request);

        assertThat(first.status()).isEqualTo(404);
        assertThat(again.replayed()).isTrue();
        assertThat(again.body()).isEqualTo(first.body());
        assertThat(isKept("/orders", TestHandlerResponse.of(503, "later").via(HandlerResponseStyle.ERROR)))
                .isFalse();
    }

    @Test
    default void exceptionIsNotKeptAndTheRetryRuns() {
        assumeStyle(HandlerResponseStyle.THROWN);
        assertThat(isKept("/orders", TestHandlerResponse.of(500, "boom").via(HandlerResponseStyle.THROWN)))
                .isFalse();
    }

    @Test
    default void exceptionIsReplayedAlikeToEveryClientWhereFailuresAreKept() {
        for (var way : List.of(HandlerResponseStyle.THROWN, HandlerResponseStyle.BROKEN)) {
            harness().setHandler(TestHandlerResponse.of(500, "secret detail").via(way));
            var request = post("/stripe").key(newKey());
            int before = harness().runs();

            var first = harness().send(request);
            var again = harness().send(request);

            assertThat(first.status()).isEqualTo(500);
            assertThat(again.replayed()).isTrue();
            assertThat(again.body()).as("%s", way).isEqualTo(first.body()).doesNotContain("secret detail");
            assertThat(harness().runs() - before).isEqualTo(1);
        }
    }

    @Test
    default void withHoldAFailureIsTheOutcome() {
        harness().setHandler(TestHandlerResponse.of(503, "who knows"));
        var request = post("/hold").key(newKey());

        harness().send(request);
        var again = harness().send(request);

        assertThat(again.status()).isEqualTo(503);
        assertThat(again.replayed()).isTrue();
        assertThat(harness().runs()).isEqualTo(1);
    }

    @Test
    default void handlerCanSayWhatIsKeptOfItsAnswer() {
        harness().setHandler(request -> {
            request.claim().ifPresent(Claim::doNotKeepAnswer);
            return TestHandlerResponse.of(200, "not for ever");
        });
        var request = post("/orders").key(newKey());

        harness().send(request);
        assertThat(harness().send(request).replayed()).isFalse();
        assertThat(harness().runs()).isEqualTo(2);
    }

    /** Nothing may run twice there: what is not kept is the answer, not that it is done. */
    @Test
    default void withHoldAnAnswerThatIsNotToBeKeptLeavesItsStateAlone() {
        harness().setHandler(request -> {
            request.claim().ifPresent(Claim::doNotKeepAnswer);
            return TestHandlerResponse.of(200, "not for ever");
        });
        var request = post("/hold").key(newKey());

        assertThat(harness().send(request).body()).isEqualTo("not for ever");
        var again = harness().send(request);

        assertThat(again.status()).isEqualTo(409);
        assertThat(again.body()).contains("answer-not-kept").doesNotContain("not for ever");
        assertThat(harness().runs()).isEqualTo(1);
    }

    @Test
    default void withHoldAHandlerCanSayThatNothingHappened() {
        harness().setHandler(request -> {
            request.claim().ifPresent(Claim::declareNoEffect);
            return TestHandlerResponse.of(503, "nothing happened");
        });
        var request = post("/hold").key(newKey());

        harness().send(request);
        assertThat(harness().send(request).replayed()).isFalse();
        assertThat(harness().runs()).isEqualTo(2);
    }

    /** Elsewhere an answer over the size limit frees the key. */
    @Test
    default void answerTooLargeToKeepPassesThroughAndARetryLearnsItAndNeverRuns() {
        String large = "0123456789".repeat(5_000);
        harness().setHandler(TestHandlerResponse.of(200, large));
        var request = post("/small").key(newKey());

        var first = harness().send(request);
        var again = harness().send(request);

        assertThat(first.status()).isEqualTo(200);
        assertThat(first.body()).isEqualTo(large);
        assertThat(again.status()).isEqualTo(409);
        assertThat(again.body()).contains("answer-not-kept", "\"retryable\":false");
        assertThat(harness().runs()).isEqualTo(1);
    }

    @Test
    default void streamPassesThroughAndARetryLearnsThatItWasNotKept() {
        harness()
                .setHandler(new TestHandlerResponse(
                        200,
                        List.of(new dev.refrain.api.AnswerHeader("Content-Type", "text/event-stream")),
                        "data: 1\n\n",
                        HandlerResponseStyle.STREAM));
        var request = post("/orders").key(newKey());

        assertThat(harness().send(request).body()).isEqualTo("data: 1\n\n");
        assertThat(harness().send(request).body()).contains("answer-not-kept");
        assertThat(harness().runs()).isEqualTo(1);
    }

    @Test
    default void retryLearnsThatTheAnswerWasNotKeptWhereOnlyTheStateIs() {
        harness().setHandler(TestHandlerResponse.of(200, "secret"));
        var request = post("/state-only").key(newKey());

        assertThat(harness().send(request).body()).isEqualTo("secret");
        assertThat(harness().send(request).body()).contains("answer-not-kept").doesNotContain("secret");
        assertThat(harness().runs()).isEqualTo(1);
    }

    @Test
    default void withHoldAnExceptionIsTheOutcomeAndEveryClientReadsTheSame() {
        for (var way : List.of(HandlerResponseStyle.THROWN, HandlerResponseStyle.BROKEN)) {
            harness().setHandler(TestHandlerResponse.of(500, "secret detail").via(way));
            String key = newKey();
            var request = post("/hold").key(key);
            int before = harness().runs();

            var first = harness().send(request);
            var again = harness().send(request);

            assertThat(again.replayed()).isTrue();
            assertThat(again.status()).isEqualTo(first.status());
            assertThat(again.body()).as("%s", way).isEqualTo(first.body()).doesNotContain("secret detail");
            var status = harness()
                    .send(post(ContractAndStatusPaths.DEFAULT.status(key)).by("GET"));
            assertThat(status.body()).isEqualTo(first.body());
            assertThat(harness().runs() - before).isEqualTo(1);
        }
    }

    @Test
    default void recordSaysMethodRouteAndTrace() {
        String key = newKey();
        harness()
                .send(post("/orders")
                        .key(key)
                        .line("traceparent: 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"));

        var explained = harness()
                .refrain()
                .admin()
                .explain(new ScopedKey("alice", RouteProtection.NAMESPACE, key))
                .orElseThrow();

        assertThat(explained.operation())
                .hasValueSatisfying(operation -> assertThat(operation).startsWith("POST /orders"));
        assertThat(explained.traceId()).map(TraceId::toString).contains("4bf92f3577b34da6a3ce929d0e0e4736");
        assertThat(explained.caller()).as("the scope says it").isEmpty();
        assertThat(explained.attempts())
                .singleElement()
                .satisfies(attempt -> assertThat(attempt.endReason()).contains("completed"));
    }

    /** An operator, or an operation that is not HTTP, may have kept a failure under this key. */
    @Test
    default void statusOfAFailureSaysNothingOfIt() {
        String key = newKey();
        try {
            harness()
                    .refrain()
                    .operation("elsewhere")
                    .namespace(RouteProtection.NAMESPACE)
                    .leased(LeaseExpiryPolicy.HOLD)
                    .run(OperationCall.scope("alice").key(key).request("request"), claim -> {
                        throw new IllegalStateException("secret detail");
                    });
        } catch (IllegalStateException expected) {
            // It is kept.
        }

        var status =
                harness().send(post(ContractAndStatusPaths.DEFAULT.status(key)).by("GET"));

        assertThat(status.status()).isEqualTo(500);
        assertThat(status.body()).contains("handler-failed").doesNotContain("secret detail");
    }
}
