package dev.refrain.http.cases;

import static dev.refrain.http.cases.EdgeTestHarness.newKey;
import static dev.refrain.http.cases.RawHttpRequest.post;
import static org.assertj.core.api.Assertions.assertThat;

import dev.refrain.api.AnswerHeader;
import dev.refrain.observe.RefrainEvent;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Cases of the key: its place, its syntax, and requests without one. */
interface KeyTestCases extends EdgeTestCases {

    @Test
    default void quotedAndBareAreTheSameKey() {
        String key = newKey();

        harness().send(post("/orders").key('"' + key + '"'));
        var again = harness().send(post("/orders").key(key));

        assertThat(again.replayed()).isTrue();
        assertThat(harness().runs()).isEqualTo(1);
    }

    @Test
    default void structuredStringMayHaveEscapesAndParameters() {
        String key = newKey();

        harness().send(post("/orders").key("\"" + key + "\\\"x\\\\\";v=1"));
        var again = harness().send(post("/orders").key("\"" + key + "\\\"x\\\\\""));

        assertThat(again.replayed()).isTrue();
        assertThat(harness().runs()).isEqualTo(1);
    }

    @Test
    default void commaBelongsToAKeyInQuotes() {
        String key = '"' + newKey() + ",1\"";

        harness().send(post("/orders").key(key));

        assertThat(harness().send(post("/orders").key(key)).replayed()).isTrue();
    }

    @Test
    default void strictTakesOnlyAStructuredString() {
        assertThat(harness().send(post("/strict").key(newKey())).status()).isEqualTo(400);
        assertThat(harness().runs()).isZero();
        assertThat(harness().send(post("/strict").key('"' + newKey() + '"')).status())
                .isEqualTo(200);
    }

    @Test
    default void missingKeyIsRefusedAndNothingRuns() {
        var refused = harness().send(post("/orders"));

        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.header("Content-Type").orElse("")).startsWith("application/problem+json");
        assertThat(refused.body()).contains("urn:refrain:problem:key-missing", "\"retryable\":false");
        assertThat(refused.header("Link").orElse("")).contains("describedby");
        assertThat(harness().runs()).isZero();
        assertThat(harness().events(RefrainEvent.Refused.class)).hasSize(1);
    }

    @Test
    default void keyThatIsMalformedTooShortTooLongOrGivenTwiceIsRefusedAndNothingRuns() {
        String tooLong = "k".repeat(256);
        for (var request : new RawHttpRequest[] {
            post("/orders").key(""),
            post("/orders").key("\"\""),
            post("/orders").key(tooLong),
            post("/orders").key("\"unfinished"),
            post("/orders").key("\"a\", \"b\""),
            post("/orders").key("two words"),
            post("/orders").key("a,b"),
            post("/orders").key("a,"),
            post("/named").line("X-Idempotency-Key: a,b"),
            post("/orders").key("caf\u00e9"),
            post("/orders").key("one").key("two"),
            post("/orders").key("same").key("same"),
            post("/long-keys").key("short")
        }) {
            var refused = harness().send(request);

            assertThat(refused.status()).as("%s", request).isEqualTo(400);
            assertThat(refused.body()).as("%s", request).contains("urn:refrain:problem:key-");
        }
        assertThat(harness().runs()).isZero();
    }

    /** Proxies join the lines of a header by commas. */
    @Test
    default void severalQuotedKeysInOneLineAreRepeatedAndNotMalformed() {
        for (var key : List.of("\"a\", \"b\"", "\"same\",\"same\"", "\"a\";x=1, \"b\", \"c\"")) {
            var refused = harness().send(post("/orders").key(key));

            assertThat(refused.status()).as(key).isEqualTo(400);
            assertThat(refused.body()).as(key).contains("urn:refrain:problem:key-repeated");
        }
        for (var key : List.of("\"a\", b", "\"a\", ", "\"a\" \"b\"")) {
            assertThat(harness().send(post("/orders").key(key)).body())
                    .as(key)
                    .contains("urn:refrain:problem:key-malformed");
        }
        assertThat(harness().runs()).isZero();
    }

    @Test
    default void longestKeyIsTaken() {
        assertThat(harness().send(post("/orders").key("k".repeat(255))).status())
                .isEqualTo(200);
    }

    @Test
    default void severalNamesAreTakenInTheirOrder() {
        String key = newKey();

        harness().send(post("/named").line("X-Idempotency-Key: " + key));
        assertThat(harness()
                        .send(post("/named").line("PayPal-Request-Id: " + key))
                        .replayed())
                .isTrue();
        assertThat(harness()
                        .send(post("/named").key(key).line("X-Idempotency-Key: other"))
                        .replayed())
                .isTrue();
        assertThat(harness().runs()).isEqualTo(1);
    }

    @Test
    default void keyMayStandInTheBody() {
        String key = newKey();
        var inJson = post("/named").json("{\"requestId\":\"" + key + "\",\"amount\":1}");

        harness().send(inJson);
        assertThat(harness().send(inJson).replayed()).isTrue();
        assertThat(harness().runs()).isEqualTo(1);
        assertThat(harness().send(post("/named").json("{\"amount\":1}")).status())
                .isEqualTo(400);
        assertThat(harness().send(post("/named").json("{\"requestId\":7}")).status())
                .isEqualTo(400);
        var form = post("/named").body("application/x-www-form-urlencoded", "amount=1&requestId=" + newKey());
        assertThat(harness().send(form).status()).isEqualTo(200);
        assertThat(harness().send(form).replayed()).isTrue();
    }

    @Test
    default void withoutAKeyAnOptionalRouteRunsUnprotected() {
        harness().send(post("/optional"));
        var again = harness().send(post("/optional"));

        assertThat(again.replayed()).isFalse();
        assertThat(harness().runs()).isEqualTo(2);
        var keyed = post("/optional").key(newKey());
        harness().send(keyed);
        assertThat(harness().send(keyed).replayed()).isTrue();
    }

    @Test
    default void mintedKeyIsReturnedAndCanBeRetried() {
        var first = harness().send(post("/mint").json("{}"));
        String minted = first.header("Idempotency-Key").orElseThrow();

        var again = harness().send(post("/mint").key(minted).json("{}"));

        assertThat(minted).startsWith("\"").endsWith("\"");
        assertThat(again.replayed()).isTrue();
        assertThat(harness().runs()).isEqualTo(1);
        assertThat(harness().events(RefrainEvent.KeyGenerated.class)).hasSize(1);
    }

    @Test
    default void observedEverythingRunsAndIsCounted() {
        var request = post("/observe").key(newKey()).json("{\"a\":1}");

        assertThat(harness().send(post("/observe")).status()).isEqualTo(200);
        assertThat(harness().send(request).status()).isEqualTo(200);
        assertThat(harness().send(request).replayed()).isFalse();
        assertThat(harness().send(request.json("{\"a\":2}")).status()).isEqualTo(200);
        assertThat(harness().send(post("/observe").key("two words")).status()).isEqualTo(200);

        assertThat(harness().runs()).isEqualTo(5);
        assertThat(harness().events(RefrainEvent.ObservedOnly.class))
                .extracting(RefrainEvent.ObservedOnly::finding)
                .containsExactly(
                        RefrainEvent.ObservedFinding.KEY_MISSING,
                        RefrainEvent.ObservedFinding.REPLAY,
                        RefrainEvent.ObservedFinding.MISMATCH,
                        RefrainEvent.ObservedFinding.KEY_UNUSABLE);
    }

    @Test
    default void observedIsAlsoWhatComesInChunks() {
        var request = post("/observe").key(newKey()).json("{\"a\":1}").inChunks();

        harness().send(request);
        harness().send(request);

        assertThat(harness().runs()).isEqualTo(2);
        assertThat(harness().lastAsked().body()).isEqualTo(request.body());
        assertThat(harness().events(RefrainEvent.ObservedOnly.class))
                .extracting(RefrainEvent.ObservedOnly::finding)
                .containsExactly(RefrainEvent.ObservedFinding.REPLAY);
    }

    @Test
    default void readingIsNeverProtected() {
        var get = post("/orders").by("GET").key(newKey());

        harness().send(get);
        harness().send(get);

        assertThat(harness().runs()).isEqualTo(2);
    }

    @Test
    default void otherMethodsAreProtectedWhereConfigured() {
        var put = post("/orders/7").by("PUT").key(newKey());

        harness().send(put);
        assertThat(harness().send(put).replayed()).isTrue();
        var delete = post("/orders/7").by("DELETE").key(newKey());
        harness().send(delete);
        assertThat(harness().send(delete).replayed()).isFalse();
    }

    /** A key that occurs twice is ambiguous: parsers disagree on which one counts. */
    @Test
    default void keyThatStandsTwiceInTheBodyIsRefused() {
        var request = post("/body-key");

        for (var body : List.of(
                "{\"requestId\":\"a\",\"requestId\":\"b\"}", "{\"requestId\":\"a\",\"x\":1,\"requestId\":null}")) {
            var refused = harness().send(request.json(body));

            assertThat(refused.status()).as(body).isEqualTo(400);
            assertThat(refused.body()).contains("key-repeated");
        }
        assertThat(harness().runs()).isZero();
    }

    @Test
    default void mintedKeyIsReturnedAlsoWithAnErrorThatIsNotKept() {
        harness().setHandler(TestHandlerResponse.of(503, "later").via(HandlerResponseStyle.ERROR));

        var first = harness().send(post("/mint"));

        assertThat(first.status()).isEqualTo(503);
        assertThat(first.header("Idempotency-Key")).isPresent();
    }

    /** Without the minted key, a client could only repeat the request under another. */
    @Test
    default void mintedKeyIsReturnedAlsoWhenTheHandlerThrows() {
        for (var way : List.of(HandlerResponseStyle.THROWN, HandlerResponseStyle.BROKEN)) {
            harness().setHandler(TestHandlerResponse.of(500, "boom").via(way));

            var first = harness().send(post("/mint"));

            assertThat(first.status()).isEqualTo(500);
            assertThat(first.header("Idempotency-Key")).as("%s", way).isPresent();
        }
    }

    @Test
    default void mintedKeyIsReturnedAlsoWithAnAnswerThatPassesThrough() {
        for (var answer : List.of(
                TestHandlerResponse.of(200, "x".repeat(2 << 20)),
                new TestHandlerResponse(
                        200,
                        List.of(new AnswerHeader("Content-Type", "text/event-stream")),
                        "data: 1\n\n",
                        HandlerResponseStyle.STREAM))) {
            harness().setHandler(answer);

            var first = harness().send(post("/mint"));

            assertThat(first.status()).isEqualTo(200);
            String key = first.header("Idempotency-Key").orElseThrow();
            assertThat(harness().send(post("/mint").key(key)).body()).contains("answer-not-kept");
        }
        assertThat(harness().runs()).isEqualTo(2);
    }

    /** Handlers may decode a path in other ways than it was sent. */
    @Test
    default void routeIsFoundInWhateverWayItsPathIsWritten() {
        for (String path : List.of("/strict/", "/%73trict", "/strict;v=1", "/%73trict/;v=1")) {
            assertThat(harness().send(post(path)).status()).as(path).isEqualTo(400);
        }
        assertThat(harness().runs()).isZero();
    }

    /** Observe mode is for APIs in production: a request that worked before must not fail. */
    @Test
    default void observedAlsoWhatIsTooLargeOrFromNobodyRuns() {
        var large = post("/observe").key(newKey()).json("{\"a\":\"" + "x".repeat(2 << 20) + "\"}");

        assertThat(harness().send(large).status()).isEqualTo(200);
        assertThat(harness().lastAsked().body()).isEqualTo(large.body());
        assertThat(harness().send(large.inChunks()).status()).isEqualTo(200);
        assertThat(harness().lastAsked().body()).isEqualTo(large.body());
        assertThat(harness()
                        .send(post("/observe").key(newKey()).without("X-User"))
                        .status())
                .isEqualTo(200);
        assertThat(harness().runs()).isEqualTo(3);
    }

    /** Requests without a key pass through an optional route as if it were unprotected. */
    @Test
    default void withoutAKeyAnOptionalRouteTakesWhatItTookBefore() {
        var large = post("/optional").json("{\"a\":\"" + "x".repeat(2 << 20) + "\"}");

        assertThat(harness().send(large).status()).isEqualTo(200);
        assertThat(harness().lastAsked().body()).isEqualTo(large.body());
        assertThat(harness().send(post("/optional").without("X-User")).status()).isEqualTo(200);
    }
}
