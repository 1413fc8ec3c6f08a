package dev.refrain.http.cases;

import static dev.refrain.http.cases.EdgeTestHarness.newKey;
import static dev.refrain.http.cases.RawHttpRequest.post;
import static org.assertj.core.api.Assertions.assertThat;

import dev.refrain.http.edge.ContractAndStatusPaths;
import dev.refrain.observe.RefrainEvent;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Cases of requests that are unusual and legal, or nearly so: none of them is a way around. */
interface UnusualRequestTestCases extends EdgeTestCases {

    /** A server may refuse what is no URI; what it lets through is told apart byte by byte. */
    @Test
    default void requestsThatDifferInTheBytesOfTheirQueryAreDifferent() {
        for (var pair : List.of(
                List.of("q=\u00c3\u00a9", "q=\u00c3\u00a8"),
                List.of("q=\u00ff", "q=\u00fe"),
                List.of("q=\u00ff", "q=?"),
                List.of("q=\u00c3\u00a9", "q=\u00e9"),
                List.of("q=50%", "q=51%"),
                List.of("q=%41", "q=A"),
                List.of("q=%c3%a9", "q=%C3%A9"),
                List.of("q=a+b", "q=a%20b"),
                List.of("a=1&b=2", "b=2&a=1"),
                List.of("a=1", "a=1&"))) {
            harness().reset();
            String key = newKey();

            var first = harness().send(post("/orders?" + pair.getFirst()).key(key));
            var second = harness().send(post("/orders?" + pair.getLast()).key(key));

            assertThat(first.status()).as("%s", pair).isIn(200, 400);
            assertThat(second.status()).as("%s", pair).isIn(200, 400, 422);
            assertThat(List.of(first.status(), second.status())).as("%s", pair).isNotEqualTo(List.of(200, 200));
            assertThat(second.replayed()).as("%s", pair).isFalse();
            assertThat(harness().runs()).as("%s", pair).isLessThan(2);
        }
    }

    @Test
    default void sameQueryIsTheSameRequest() {
        for (String query : List.of("q=\u00c3\u00a9", "q=50%25", "q=a|b", "q=%ff", "a=1&&b", "")) {
            var request = post("/orders?" + query).key(newKey());

            var first = harness().send(request);
            var again = harness().send(request);

            assertThat(first.status()).as(query).isIn(200, 400);
            assertThat(again.status()).as(query).isEqualTo(first.status());
            assertThat(again.replayed() || first.status() == 400).as(query).isTrue();
        }
    }

    @Test
    default void methodInLowerCaseIsNoWayAround() {
        for (String method : List.of("post", "Post", "pOST", "patch", "put")) {
            harness().reset();
            var request = post("/orders").by(method).key(newKey());

            var first = harness().send(request);
            var again = harness().send(request);
            var withoutKey = harness().send(post("/orders").by(method));

            boolean ran = first.status() == 200;
            assertThat(first.status() == 200 || first.status() >= 400)
                    .as(method)
                    .isTrue();
            assertThat(again.replayed()).as(method).isEqualTo(ran);
            assertThat(withoutKey.status()).as(method).isGreaterThanOrEqualTo(400);
            assertThat(harness().runs()).as(method).isEqualTo(ran ? 1 : 0);
        }
    }

    @Test
    default void keyThatNoRouteCoversIsLoggedOnceForItsMethod() {
        String path = "/orders/" + newKey();
        try (var log = new CapturedWarningLines("dev.refrain.http.edge.UncoveredKeyReporter")) {
            harness().send(post(path).by("LINK").key(newKey()));
            harness().send(post(path).by("LINK").key(newKey()));

            assertThat(log.containing(path))
                    .singleElement()
                    .asString()
                    .startsWith("LINK " + path + " has an idempotency key, but no protected route covers it")
                    .contains("Further ones with this method are only counted.");
        }
    }

    @Test
    default void keyThatNoRouteCoversIsCounted() {
        harness().send(post("/orders/7").by("DELETE").key(newKey()));
        harness().send(post("/orders/7").by("DELETE"));
        harness().send(post("/orders/7").by("GET").key(newKey()));

        assertThat(harness().events(RefrainEvent.ObservedOnly.class))
                .containsExactly(new RefrainEvent.ObservedOnly("DELETE", RefrainEvent.ObservedFinding.KEY_NOT_COVERED));
    }

    @Test
    default void largestBodyThatTheLimitNamesIsAccepted() {
        for (int bytes : new int[] {100, 101}) {
            var request = post("/small").body("text/plain", "x".repeat(bytes));
            int status = bytes == 100 ? 200 : 413;

            assertThat(harness().send(request.key(newKey())).status()).isEqualTo(status);
            assertThat(harness().send(request.key(newKey()).inChunks()).status())
                    .isEqualTo(status);
        }
    }

    @Test
    default void statusOfAKeyIsForItsCallerOnly() {
        String key = newKey();
        harness().send(post("/orders").key(key));
        var status = post(ContractAndStatusPaths.DEFAULT.status(key)).by("GET");

        assertThat(harness().send(status).status()).isEqualTo(200);
        assertThat(harness().send(status.as("mallory")).status()).isEqualTo(410);
        var nobody = harness().send(status.without("X-User"));

        assertThat(nobody.status()).isEqualTo(401);
        assertThat(nobody.body()).contains("caller-unknown");
        assertThat(harness().runs()).isEqualTo(1);
    }

    /** What is below the base path never reaches a handler, which might take it for something else. */
    @Test
    default void everyPathBelowTheBasePathIsAnsweredHere() {
        for (String path : List.of("/refrain", "/refrain/", "/refrain/other", "/refrain/status", "/refrain/status/")) {
            assertThat(harness().send(post(path).by("GET")).status()).as(path).isEqualTo(404);
        }
        for (String key : List.of("a", "not+base64", "%41", "YQ==", "YQ/YQ", "YR")) {
            assertThat(harness().send(post("/refrain/status/" + key).by("GET")).status())
                    .as(key)
                    .isEqualTo(404);
        }
        for (String method : List.of("POST", "PUT", "DELETE", "PATCH")) {
            var refused = harness().send(post("/refrain/contract").by(method).key(newKey()));

            assertThat(refused.status()).as(method).isEqualTo(405);
            assertThat(refused.header("Allow")).hasValue("GET, HEAD");
        }
        assertThat(harness().runs()).isZero();
    }

    @Test
    default void ownPagesAnswerHeadRequestsToo() {
        for (String path : List.of("/refrain/contract", "/refrain/contract.json")) {
            var page = harness().send(post(path).by("GET"));
            var head = harness().sendForHead(post(path).by("HEAD"));

            assertThat(head.status()).isEqualTo(200);
            assertThat(head.header("Content-Type")).isEqualTo(page.header("Content-Type"));
            assertThat(head.body()).isEmpty();
        }
        var unknown = post(ContractAndStatusPaths.DEFAULT.status(newKey())).by("HEAD");
        assertThat(harness().sendForHead(unknown).status()).isEqualTo(410);
        assertThat(harness().sendForHead(unknown.without("X-User")).status()).isEqualTo(401);
        assertThat(harness().sendForHead(post("/refrain/other").by("HEAD")).status())
                .isEqualTo(404);
        assertThat(harness().runs()).isZero();
    }

    @Test
    default void pathThatOnlyBeginsLikeTheBasePathIsNotOurs() {
        var answer = harness().send(post("/refrainer").by("GET"));

        assertThat(answer.body()).doesNotContain("no-such-page");
    }

    /** Whoever reads a problem, in a log or on a screen, learns nothing of what was sent. */
    @Test
    default void problemsRepeatNothingOfTheRequest() {
        String key = "secret-" + newKey();
        harness().send(post("/orders?q=secret").key(key).json("{\"card\":\"secret\"}"));
        for (var request : List.of(
                post("/orders?q=secret").key(key).json("{\"card\":\"other secret\"}"),
                post("/orders?q=secret").key("secret key"),
                post("/orders?q=secret").key("secret,key"),
                post("/orders?q=secret").key("\"secret"),
                post("/orders?q=secret").key(key).key("secret-2"),
                post("/orders?q=secret").line("Authorization: Bearer secret"),
                post("/orders?q=secret").key(key).without("X-User"),
                post("/small?q=secret").key(newKey()).json("secret".repeat(50)),
                post("/refrain/status/secret").by("GET"),
                post("/refrain/secret").by("GET"),
                post("/refrain/contract?secret").by("DELETE"))) {
            var refused = harness().send(request);

            assertThat(refused.status()).as("%s", request).isBetween(400, 499);
            assertThat(refused.body())
                    .as("%s", request)
                    .contains("urn:refrain:problem:")
                    .doesNotContain("secret");
            assertThat(refused.headers().toString()).as("%s", request).doesNotContain("secret");
        }
    }

    @Test
    default void noContentTypeIsMadeUpForAReplay() {
        harness().setHandler(new TestHandlerResponse(201, List.of(), "bare", HandlerResponseStyle.STREAM));
        var request = post("/orders").key(newKey());

        var first = harness().send(request);
        var again = harness().send(request);

        assertThat(first.status()).isEqualTo(201);
        assertThat(again.replayed()).isTrue();
        assertThat(again.header("Content-Type")).isEqualTo(first.header("Content-Type"));
    }
}
