package dev.refrain.http.cases;

import static dev.refrain.http.cases.EdgeTestHarness.newKey;
import static dev.refrain.http.cases.RawHttpRequest.post;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Cases of request bodies and of clients that disconnect. */
interface RequestBodyTestCases extends EdgeTestCases {

    @Test
    default void handlerReadsTheBodyAsItWasSent() {
        String json = "{\"amount\": 1, \"note\":\"\u00e9\"}";

        harness().send(post("/orders").key(newKey()).json(json));
        assertThat(harness().lastAsked().body()).isEqualTo(json);

        harness().send(post("/orders").key(newKey()).json(json).inChunks());
        assertThat(harness().lastAsked().body()).isEqualTo(json);
    }

    @Test
    default void chunkedBodyIsTheSameRequestAsAWholeOne() {
        var request = post("/orders").key(newKey()).json("{\"amount\":1,\"list\":[1,2,3,4,5]}");

        harness().send(request);

        assertThat(harness().send(request.inChunks()).replayed()).isTrue();
    }

    @Test
    default void formFieldsAndQueryAreReadableAndCount() {
        var form = "application/x-www-form-urlencoded";
        var request = post("/orders?from=query").key(newKey()).body(form, "amount=12&note=a+b%26c");

        harness().send(request);

        assertThat(harness().lastAsked().parameters())
                .containsEntry("from", "query")
                .containsEntry("amount", "12")
                .containsEntry("note", "a b&c");
        assertThat(harness().send(request).replayed()).isTrue();
    }

    @Test
    default void partsAreReadableAndCount() {
        String key = newKey();
        String body = """
                --xyz
                Content-Disposition: form-data; name="amount"

                12
                --xyz
                Content-Disposition: form-data; name="file"; filename="a.bin"
                Content-Type: application/octet-stream

                \u0001\u00ff
                --xyz--
                """.replace("\n", "\r\n");
        var request = post("/orders").key(key).body("multipart/form-data; boundary=xyz", body);

        assertThat(harness().send(request).status()).isEqualTo(200);
        assertThat(harness().lastAsked().parameters()).containsEntry("amount", "12");
        var otherBoundary =
                post("/orders").key(key).body("multipart/form-data; boundary=abc", body.replace("--xyz", "--abc"));
        assertThat(harness().send(otherBoundary).replayed()).isTrue();
        var otherFile =
                post("/orders").key(key).body("multipart/form-data; boundary=xyz", body.replace("\u00ff", "\u00fe"));
        assertThat(harness().send(otherFile).status()).isEqualTo(422);
        assertThat(harness().runs()).isEqualTo(1);
    }

    @Test
    default void expectContinueRequestIsRefusedBeforeItsBodyIsSent() throws Exception {
        var request = post("/orders").json("{\"a\":1}").line("Expect: 100-continue");
        try (var wire = new RawHttpConnection(harness().edge().port())) {
            wire.write(request.head());

            assertThat(wire.receive().status()).as("no key").isEqualTo(400);
        }
        assertThat(harness().runs()).isZero();
    }

    @Test
    default void expectContinueIsAnsweredBeforeTheBody() throws Exception {
        var request = post("/orders").key(newKey()).json("{\"a\":1}").line("Expect: 100-continue");
        try (var wire = new RawHttpConnection(harness().edge().port())) {
            wire.write(request.head());
            assertThat(wire.receive().status()).isEqualTo(100);

            wire.write(request.content());

            assertThat(wire.receive().status()).isEqualTo(200);
        }
        assertThat(harness().lastAsked().body()).isEqualTo("{\"a\":1}");
    }

    @Test
    default void clientThatHangsUpWhileItSendsClaimsNothing() throws Exception {
        var request = post("/orders").key(newKey()).json("{\"amount\":1234567890}");
        try (var wire = new RawHttpConnection(harness().edge().port())) {
            wire.write(request.head());
            wire.write("{\"amo".getBytes(StandardCharsets.US_ASCII));
            wire.hangUp();
        }

        assertThat(harness().send(request).replayed()).isFalse();
        assertThat(harness().runs()).isEqualTo(1);
    }

    /** Other implementations store under the request's cancellation: a client that disconnects frees the claim. */
    @Test
    default void clientThatHangsUpWhileItWaitsChangesNothing() throws Exception {
        var request = post("/orders").key(newKey());
        var entered = new CountDownLatch(1);
        var gone = new CountDownLatch(1);
        harness().setHandler(asked -> {
            entered.countDown();
            if (!gone.await(1, TimeUnit.MINUTES)) {
                throw new AssertionError("The client did not go.");
            }
            return TestHandlerResponse.of(201, "done all the same");
        });
        try (var wire = new RawHttpConnection(harness().edge().port())) {
            wire.send(request);
            assertThat(entered.await(1, TimeUnit.MINUTES)).isTrue();
            wire.hangUp();
        }
        gone.countDown();

        var answer = await().until(
                        () -> Optional.of(harness().send(request)).filter(a -> a.status() != 409), Optional::isPresent)
                .orElseThrow();

        assertThat(answer.replayed()).isTrue();
        assertThat(answer.body()).isEqualTo("done all the same");
        assertThat(harness().runs()).isEqualTo(1);
    }

    /** Chunked bodies have no declared size before they are read. */
    @Test
    default void partsOverTheLimitAreRefusedBeforeAnythingIsClaimed() {
        String parts = "--b\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n" + "x".repeat(200) + "\r\n--b--\r\n";
        var large = post("/small").key(newKey()).body("multipart/form-data; boundary=b", parts);

        for (var request : new RawHttpRequest[] {large, large.inChunks()}) {
            assertThat(harness().send(request).status()).isEqualTo(413);
        }
        assertThat(harness().runs()).isZero();
    }
}
