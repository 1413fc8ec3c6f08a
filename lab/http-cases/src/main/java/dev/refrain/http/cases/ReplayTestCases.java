package dev.refrain.http.cases;

import static dev.refrain.http.cases.EdgeTestHarness.newKey;
import static dev.refrain.http.cases.RawHttpRequest.post;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Cases of a retry after the first request has completed. */
interface ReplayTestCases extends EdgeTestCases {

    @Test
    default void firstAnswerIsTheHandlersUntouched() {
        harness()
                .setHandler(TestHandlerResponse.of(201, "made")
                        .with("Location", "/orders/7")
                        .with("X-Trace", "abc"));

        var first = harness().send(post("/orders").key(newKey()).json("{\"a\":1}"));

        assertThat(first.status()).isEqualTo(201);
        assertThat(first.body()).isEqualTo("made");
        assertThat(first.header("Location")).hasValue("/orders/7");
        assertThat(first.header("X-Trace")).hasValue("abc");
        assertThat(first.replayed()).isFalse();
    }

    @Test
    default void retryIsGivenTheSameStatusHeadersAndBytesAndDoesNotRun() {
        harness()
                .setHandler(request -> TestHandlerResponse.of(
                                201, "run " + harness().runs())
                        .with("Location", "/orders/7")
                        .with("X-Part", "one")
                        .with("X-Part", "two"));
        var request = post("/orders").key(newKey()).json("{\"a\":1}");

        var first = harness().send(request);
        var again = harness().send(request);

        assertThat(harness().runs()).isEqualTo(1);
        assertThat(again.replayed()).isTrue();
        assertThat(again.status()).isEqualTo(first.status());
        assertThat(again.body()).isEqualTo(first.body()).isEqualTo("run 1");
        assertThat(again.header("Location")).isEqualTo(first.header("Location"));
        assertThat(again.header("Content-Type")).isEqualTo(first.header("Content-Type"));
        assertThat(again.header("Content-Length")).isEqualTo(first.header("Content-Length"));
        assertThat(String.join(",", again.all("X-Part")).replace(" ", "")).isEqualTo("one,two");
    }

    /** Clients and proxies change headers between tries. */
    @Test
    default void retryWithOtherHeadersIsTheSameRequest() {
        String key = newKey();
        harness().send(post("/orders").key(key).line("User-Agent: a/1").json("{\"a\":1}"));

        var again = harness()
                .send(post("/orders")
                        .key(key)
                        .line("User-Agent: b/2")
                        .line("X-Trace: 7")
                        .json("{\"a\": 1}"));

        assertThat(again.replayed()).isTrue();
        assertThat(harness().runs()).isEqualTo(1);
    }

    /** Other implementations decode bodies as text, which damages binary ones. */
    @Test
    default void everyByteComesBackAsItWas() {
        String all =
                IntStream.range(0, 256).mapToObj(i -> Character.toString(i)).collect(Collectors.joining());
        harness().setHandler(TestHandlerResponse.of(200, all + all));
        var request = post("/orders").key(newKey());

        assertThat(harness().send(request).body()).isEqualTo(all + all);
        assertThat(harness().send(request).body()).isEqualTo(all + all);
        assertThat(harness().runs()).isEqualTo(1);
    }

    /** Other implementations read an empty body as "nothing stored". */
    @Test
    default void emptyAnswerIsAnAnswer() {
        harness().setHandler(new TestHandlerResponse(204, java.util.List.of(), "", HandlerResponseStyle.STREAM));
        var request = post("/orders").key(newKey());

        assertThat(harness().send(request).status()).isEqualTo(204);
        var again = harness().send(request);

        assertThat(again.status()).isEqualTo(204);
        assertThat(again.replayed()).isTrue();
        assertThat(harness().runs()).isEqualTo(1);
    }

    /** Other implementations replay a 406 as 200. */
    @Test
    default void anyKeptStatusComesBackAsItWas() {
        for (int status : new int[] {200, 202, 203, 303, 400, 402, 404, 406, 410, 418, 422, 451}) {
            harness().setHandler(TestHandlerResponse.of(status, "said " + status));
            var request = post("/orders").key(newKey());

            assertThat(harness().send(request).status()).isEqualTo(status);
            var again = harness().send(request);

            assertThat(again.status()).isEqualTo(status);
            assertThat(again.body()).isEqualTo("said " + status);
            assertThat(again.replayed()).isTrue();
        }
    }

    @Test
    default void replayIsTheStoredRepresentationWhateverAcceptSaysNow() {
        harness().setHandler(TestHandlerResponse.of(200, "plain"));
        var request = post("/orders").key(newKey());

        harness().send(request.line("Accept: text/plain"));
        var again = harness().send(request.line("Accept: application/xml"));

        assertThat(again.status()).isEqualTo(200);
        assertThat(again.body()).isEqualTo("plain");
    }

    @Test
    default void cookiesDatesAndHopsAreNotReplayed() {
        harness()
                .setHandler(TestHandlerResponse.of(200, "ok")
                        .with("Set-Cookie", "session=1")
                        .with("X-Kept", "yes"));
        var request = post("/orders").key(newKey());

        var first = harness().send(request);
        var again = harness().send(request);

        assertThat(first.header("Set-Cookie")).isPresent();
        assertThat(again.header("Set-Cookie")).isEmpty();
        assertThat(again.header("X-Kept")).hasValue("yes");
        assertThat(again.all("Date")).hasSizeLessThanOrEqualTo(1);
    }

    @Test
    default void headersThatAreConfiguredAwayAreNotReplayed() {
        harness()
                .setHandler(TestHandlerResponse.of(200, "ok")
                        .with("X-Request-Id", "r-1")
                        .with("X-Kept", "yes"));
        var request = post("/hidden").key(newKey());

        assertThat(harness().send(request).header("X-Request-Id")).hasValue("r-1");
        var again = harness().send(request);

        assertThat(again.header("X-Request-Id")).isEmpty();
        assertThat(again.header("X-Kept")).hasValue("yes");
    }

    @Test
    default void markersSentByAClientMeanNothing() {
        var request = post("/orders")
                .key(newKey())
                .line("Idempotent-Replayed: true")
                .line(":refrain-failure: x".substring(1));

        var first = harness().send(request);

        assertThat(first.replayed()).isFalse();
        assertThat(harness().runs()).isEqualTo(1);
    }

    @Test
    default void markerCanBeSwitchedOff() {
        var request = post("/unmarked").key(newKey());

        harness().send(request);
        var again = harness().send(request);

        assertThat(again.header("Idempotent-Replayed")).isEmpty();
        assertThat(harness().runs()).isEqualTo(1);
    }

    @Test
    default void answerIsCapturedByteForByteInEveryWayOfWritingIt() {
        for (var way : harness().edge().supportedStyles()) {
            if (!way.answers()) {
                continue;
            }
            harness()
                    .setHandler(TestHandlerResponse.of(200, "written by " + way + " \u00e9")
                            .via(way));
            var request = post("/orders").key(newKey());

            var first = harness().send(request);
            var again = harness().send(request);

            assertThat(first.status()).as("%s", way).isEqualTo(200);
            assertThat(first.body()).as("%s", way).contains("written by " + way);
            assertThat(again.body()).as("%s", way).isEqualTo(first.body());
            assertThat(again.header("Content-Type")).as("%s", way).isEqualTo(first.header("Content-Type"));
            assertThat(again.header("X-Too-Late"))
                    .as("%s", way)
                    .isEqualTo(first.header("X-Too-Late"))
                    .isEmpty();
            assertThat(again.replayed()).as("%s", way).isTrue();
        }
    }
}
