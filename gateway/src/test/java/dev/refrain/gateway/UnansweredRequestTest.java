package dev.refrain.gateway;

import static dev.refrain.gateway.GatewayUnderTest.pay;
import static dev.refrain.gateway.GatewayUnderTest.route;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.refrain.http.KeptRequest;
import dev.refrain.http.cases.RawHttpConnection;
import dev.refrain.http.cases.RawHttpRequest;
import dev.refrain.http.cases.RawHttpResponse;
import dev.refrain.store.RecordState;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The service behind is another failure domain: what it did cannot be seen from here. */
@Execution(ExecutionMode.CONCURRENT)
class UnansweredRequestTest {

    private final String key = UUID.randomUUID().toString();

    private static final Map<String, RawUpstream.UpstreamBehavior> WAYS_NOT_TO_ANSWER = Map.of(
            "closed without an answer", (request, socket) -> socket.close(),
            "reset", (request, socket) -> RawUpstream.reset(socket),
            "never answered", (request, socket) -> Thread.sleep(60_000),
            "half a head",
                    (request, socket) -> {
                        RawUpstream.write(socket, "HTTP/1.1 201 Cre");
                        socket.close();
                    },
            "half a body",
                    (request, socket) -> {
                        RawUpstream.write(socket, "HTTP/1.1 201 Created\r\nContent-Length: 10\r\n\r\nhalf");
                        socket.close();
                    },
            "a body without its last chunk",
                    (request, socket) -> {
                        RawUpstream.write(
                                socket, "HTTP/1.1 201 Created\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n");
                        socket.close();
                    },
            "what is no HTTP",
                    (request, socket) -> {
                        RawUpstream.write(socket, "220 mail.example.com ESMTP\r\n\r\n");
                        socket.close();
                    },
            "a server error", RawUpstream.answering(500, "who knows"));

    private static void isUnknown(RawHttpResponse answer) {
        assertThat(answer.status()).isEqualTo(409);
        assertThat(answer.body()).contains("outcome-unknown", "\"retryable\":false");
    }

    @Test
    void unansweredRequestNeedsAttentionAndIsNeverSentTwice() throws Exception {
        for (var way : WAYS_NOT_TO_ANSWER.entrySet()) {
            String key = UUID.randomUUID().toString();
            try (var upstream = new RawUpstream(way.getValue());
                    var gateway = new GatewayUnderTest(upstream.address(), route("upstream-timeout: 4s"))) {
                isUnknown(gateway.send(pay(key)));
                upstream.from(RawUpstream.answering(201, "a second effect"));
                isUnknown(gateway.send(pay(key)));

                assertThat(gateway.state(key)).as(way.getKey()).hasValue(RecordState.ATTENTION);
                assertThat(upstream.posts()).as(way.getKey()).hasSize(1);
            }
        }
    }

    @Test
    void recordInAttentionShowsItsRequestIfTheRouteKeepsIt() throws Exception {
        try (var upstream = new RawUpstream((request, socket) -> socket.close());
                var gateway = new GatewayUnderTest(
                        upstream.address(), route("keep-request: always", "redacted-fields: [/card/number]"))) {
            isUnknown(gateway.send(pay(key).json("{\"amount\":1,\"card\":{\"number\":\"4242\"}}")));

            var kept = gateway.keptRequest(key).orElseThrow();
            assertThat(kept.method()).isEqualTo("POST");
            assertThat(kept.target()).isEqualTo("/pay");
            assertThat(kept.headers()).contains(new KeptRequest.SentHeader("Content-Type", "application/json"));
            assertThat(kept.bodyText()).contains("{\"amount\":1,\"card\":{\"number\":\"[redacted]\"}}");
        }
    }

    /** Elsewhere the HTTP library sends such a request again by itself, POST or not. */
    @Test
    void requestOnAConnectionThatTheServiceClosesIsNotSentAgainOnAnother() throws Exception {
        var answered = new AtomicInteger();
        try (var upstream = new RawUpstream((request, socket) -> {
                    if (answered.getAndIncrement() == 0) {
                        RawUpstream.answer(socket, 201, "made");
                    } else {
                        RawUpstream.reset(socket);
                    }
                });
                var gateway = new GatewayUnderTest(upstream.address(), route())) {
            assertThat(gateway.send(pay("before-" + key)).status()).isEqualTo(201);

            isUnknown(gateway.send(pay(key)));

            assertThat(upstream.posts())
                    .extracting(RawUpstream.ReceivedRequest::connection)
                    .containsExactly(1, 1);
        }
    }

    @Test
    void connectionThatTheServiceClosedBeforeIsNotUsed() throws Exception {
        var closed = new CountDownLatch(1);
        try (var upstream = new RawUpstream((request, socket) -> {
                    RawUpstream.answer(socket, 201, "made");
                    if (closed.getCount() > 0) {
                        socket.close();
                        closed.countDown();
                    }
                });
                var gateway = new GatewayUnderTest(upstream.address(), route())) {
            assertThat(gateway.send(pay("before-" + key)).status()).isEqualTo(201);
            assertThat(closed.await(1, TimeUnit.MINUTES)).isTrue();
            // That it is closed has to reach the gateway.
            await().until(() -> gateway.send(pay(UUID.randomUUID().toString())).status() == 201);

            assertThat(gateway.send(pay(key)).status()).isEqualTo(201);
        }
    }

    @Test
    void unsentRequestIsReleasedAndARetryRuns() throws Exception {
        try (var nobody = new UnansweredPort()) {
            notSent("http://127.0.0.1:" + nobody.number());
        }
        notSent("http://no-such-host.invalid");
    }

    private void notSent(String address) throws Exception {
        try (var gateway = new GatewayUnderTest(address, route());
                var upstream = new RawUpstream(RawUpstream.answering(201, "made"))) {
            var refused = gateway.send(pay(key));

            assertThat(refused.status()).isEqualTo(502);
            assertThat(refused.body()).contains("upstream-unreachable", "\"retryable\":true");
            assertThat(gateway.state(key)).hasValue(RecordState.RELEASED);
            gateway.server()
                    .reload(GatewayUnderTest.reader(upstream.address())
                            .read(GatewayUnderTest.scoped(route()))
                            .reloadable());
            var retried = gateway.send(pay(key));
            assertThat(retried.status()).isEqualTo(201);
            assertThat(retried.replayed()).isFalse();
            assertThat(upstream.posts()).hasSize(1);
        }
    }

    /** The service takes most of the time that it has for each; the second waits that long for the only connection. */
    @Test
    void waitForAConnectionDoesNotShortenTheTimeForTheAnswer() throws Exception {
        var arrived = new CountDownLatch(1);
        try (var threads = Executors.newVirtualThreadPerTaskExecutor();
                var upstream = new RawUpstream((request, socket) -> {
                    arrived.countDown();
                    Thread.sleep(3_800);
                    RawUpstream.answer(socket, 201, "made");
                });
                var gateway = new GatewayUnderTest(
                        upstream.address(), "gateway: {connections: 1}\n" + route("upstream-timeout: 7s"))) {
            var first = threads.submit(() -> gateway.send(pay("before-" + key)));
            assertThat(arrived.await(1, TimeUnit.MINUTES)).isTrue();

            assertThat(gateway.send(pay(key)).status()).isEqualTo(201);
            assertThat(first.get(1, TimeUnit.MINUTES).status()).isEqualTo(201);
        }
    }

    @Test
    void requestWithoutAConnectionInTimeWasNotSent() throws Exception {
        var arrived = new CountDownLatch(1);
        try (var threads = Executors.newVirtualThreadPerTaskExecutor();
                var upstream = new RawUpstream((request, socket) -> {
                    arrived.countDown();
                    Thread.sleep(60_000);
                });
                var gateway = new GatewayUnderTest(
                        upstream.address(), "gateway: {connections: 1}\n" + route("upstream-timeout: 2s"))) {
            var held = threads.submit(() -> gateway.send(RawHttpRequest.post("/slow")));
            assertThat(arrived.await(1, TimeUnit.MINUTES)).isTrue();

            var refused = gateway.send(pay(key));

            assertThat(refused.status()).isEqualTo(503);
            assertThat(refused.body()).contains("upstream-busy", "\"retryable\":true");
            assertThat(gateway.state(key)).hasValue(RecordState.RELEASED);
            assertThat(upstream.posts()).as("the other one").hasSize(1);
            upstream.close();
            held.get(1, TimeUnit.MINUTES);
        }
    }

    @Test
    void serviceThatHonoursKeysIsSentTheSameKeyAgain() throws Exception {
        var tries = new AtomicInteger();
        try (var upstream = new RawUpstream((request, socket) -> {
                    if (tries.incrementAndGet() <= 3) {
                        RawUpstream.reset(socket);
                    } else {
                        RawUpstream.answer(socket, 201, "made");
                    }
                });
                var gateway = new GatewayUnderTest(upstream.address(), route("upstream-honours-keys: true"))) {
            var first = gateway.send(pay(key));
            assertThat(first.status()).isEqualTo(504);
            assertThat(first.body()).contains("upstream-unanswered", "\"retryable\":true");
            assertThat(gateway.state(key)).hasValue(RecordState.RELEASED);

            var retried = gateway.send(pay(key));

            assertThat(retried.status()).isEqualTo(201);
            assertThat(gateway.send(pay(key)).replayed()).isTrue();
            assertThat(upstream.posts()).hasSize(4);
            assertThat(upstream.posts().stream()
                            .map(post -> post.header("Idempotency-Key").orElseThrow()))
                    .as("one key for all, and not the client's")
                    .hasSize(4)
                    .allMatch(upstream.posts()
                            .getFirst()
                            .header("Idempotency-Key")
                            .orElseThrow()::equals)
                    .noneMatch(sent -> sent.contains(key));
        }
    }

    @Test
    void requestUnderWayIsSentAgainToTheSameService() throws Exception {
        var arrived = new CountDownLatch(1);
        var changed = new CountDownLatch(1);
        String yaml = route("upstream-honours-keys: 24h");
        try (var threads = Executors.newVirtualThreadPerTaskExecutor();
                var service = new RawUpstream((request, socket) -> {
                    arrived.countDown();
                    changed.await(10, TimeUnit.SECONDS);
                    RawUpstream.reset(socket);
                });
                var other = new RawUpstream(RawUpstream.answering(201, "a second effect"));
                var gateway = new GatewayUnderTest(service.address(), yaml)) {
            var answer = threads.submit(() -> gateway.send(pay(key)));
            assertThat(arrived.await(1, TimeUnit.MINUTES)).isTrue();
            gateway.server()
                    .reload(GatewayUnderTest.reader(other.address())
                            .read(GatewayUnderTest.scoped(yaml))
                            .reloadable());
            changed.countDown();

            assertThat(answer.get(1, TimeUnit.MINUTES).status()).isEqualTo(504);
            assertThat(service.posts()).hasSize(2);
            assertThat(other.posts()).isEmpty();
        }
    }

    /** After two of three seconds: what would be sent now may arrive when the key is forgotten. */
    @Test
    void requestThatTheServiceMayHaveForgottenIsNotSentAgainAtOnce() throws Exception {
        try (var upstream = new RawUpstream((request, socket) -> Thread.sleep(60_000));
                var gateway = new GatewayUnderTest(
                        upstream.address(),
                        route("upstream-honours-keys: 3s", "retention: 3s", "upstream-timeout: 2s"))) {
            isUnknown(gateway.send(pay(key)));

            assertThat(gateway.state(key)).hasValue(RecordState.ATTENTION);
            assertThat(upstream.posts()).hasSize(1);
        }
    }

    @Test
    void requestThatTheServiceMayHaveForgottenIsNotSentAgainByARetry() throws Exception {
        var clock = new AtomicReference<>(Instant.now());
        try (var upstream = new RawUpstream((request, socket) -> RawUpstream.reset(socket));
                var gateway = GatewayUnderTest.by(
                        clock::get, upstream.address(), route("upstream-honours-keys: 24h", "retention: 24h"))) {
            assertThat(gateway.send(pay(key)).status()).isEqualTo(504);
            clock.set(clock.get().plus(Duration.ofHours(24)).minusSeconds(10));

            isUnknown(gateway.send(pay(key)));

            assertThat(gateway.state(key)).hasValue(RecordState.ATTENTION);
            assertThat(upstream.posts()).as("the first, and once more at once").hasSize(2);
        }
    }

    /** The age of a request is counted from its first claim, not computed from the retention of today. */
    @Test
    void loweredRetentionDoesNotMakeAnOldRequestYoung() throws Exception {
        var clock = new AtomicReference<>(Instant.now());
        try (var upstream = new RawUpstream((request, socket) -> RawUpstream.reset(socket));
                var gateway = GatewayUnderTest.by(
                        clock::get, upstream.address(), route("upstream-honours-keys: 72h", "retention: 72h"))) {
            assertThat(gateway.send(pay(key)).status()).isEqualTo(504);
            clock.set(clock.get().plus(Duration.ofHours(40)));
            gateway.server()
                    .reload(GatewayUnderTest.reader(upstream.address())
                            .read(GatewayUnderTest.scoped(route("upstream-honours-keys: 24h", "retention: 24h")))
                            .reloadable());

            isUnknown(gateway.send(pay(key)));

            assertThat(gateway.state(key)).hasValue(RecordState.ATTENTION);
            assertThat(upstream.posts()).as("the first, and once more at once").hasSize(2);
        }
    }

    @Test
    void serviceThatCanBeAskedIsAskedAndItsAnswerIsTheOutcome() throws Exception {
        try (var upstream = new RawUpstream((request, socket) -> {
                    if (request.isPost()) {
                        RawUpstream.reset(socket);
                    } else {
                        RawUpstream.answer(socket, 200, "made before the line broke");
                    }
                });
                var gateway = new GatewayUnderTest(upstream.address(), route("lookup: GET /pay/by-key/{key}"))) {
            var first = gateway.send(pay(key));
            var again = gateway.send(pay(key));

            assertThat(first.status()).isEqualTo(200);
            assertThat(first.body()).isEqualTo(again.body()).isEqualTo("made before the line broke");
            assertThat(again.replayed()).isTrue();
            assertThat(upstream.posts()).hasSize(1);
            String told = upstream.posts()
                    .getFirst()
                    .header("Idempotency-Key")
                    .orElseThrow()
                    .replace("\"", "");
            assertThat(upstream.all()).anyMatch(seen -> seen.line().equals("GET /pay/by-key/" + told + " HTTP/1.1"));
        }
    }

    /** A service that heeds them would answer no question, or not the whole of it, for ever. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "If-Match: \"1\"",
                "If-None-Match: *",
                "If-Modified-Since: Sat, 29 Oct 1994 19:43:31 GMT",
                "If-Unmodified-Since: Sat, 29 Oct 1994 19:43:31 GMT",
                "Range: bytes=0-1",
                "Prefer: respond-async"
            })
    void conditionsOfTheRequestAreNotThoseOfTheQuestion(String condition) throws Exception {
        String name = condition.substring(0, condition.indexOf(':'));
        try (var upstream = new RawUpstream((request, socket) -> {
                    if (request.isPost()) {
                        RawUpstream.reset(socket);
                    } else {
                        RawUpstream.answer(socket, request.header(name).isPresent() ? 412 : 200, "made");
                    }
                });
                var gateway = new GatewayUnderTest(upstream.address(), route("lookup: GET /pay/by-key/{key}"))) {
            assertThat(gateway.send(pay(key).line(condition)).status()).isEqualTo(200);
            assertThat(upstream.posts().getFirst().header(name)).isPresent();
        }
    }

    /** Another request takes the only connection, so the question is still waiting for one when the gateway is stopped. */
    @Test
    void atAStopWhatWasSentIsNotTakenForUnsentBecauseItCannotBeAskedAbout() throws Exception {
        var arrived = new CountDownLatch(1);
        var another = new CountDownLatch(1);
        var taken = new CountDownLatch(1);
        try (var threads = Executors.newVirtualThreadPerTaskExecutor();
                var upstream = new RawUpstream((request, socket) -> {
                    if (request.isPost()) {
                        arrived.countDown();
                        another.await(10, TimeUnit.SECONDS);
                        RawUpstream.reset(socket);
                    } else {
                        taken.countDown();
                        Thread.sleep(60_000);
                    }
                });
                var gateway = new GatewayUnderTest(
                        upstream.address(), "gateway: {connections: 1}\n" + route("lookup: GET /pay/by-key/{key}"))) {
            var answer = threads.submit(() -> gateway.send(pay(key)));
            assertThat(arrived.await(1, TimeUnit.MINUTES)).isTrue();
            var slow = threads.submit(
                    () -> gateway.send(RawHttpRequest.post("/slow").by("GET")));
            // It is in the queue, which cannot be seen from here.
            await().pollDelay(300, TimeUnit.MILLISECONDS).until(() -> !slow.isDone());
            another.countDown();
            assertThat(taken.await(1, TimeUnit.MINUTES)).isTrue();
            gateway.refrain().close(Duration.ofMillis(200));

            assertThat(answer.get(1, TimeUnit.MINUTES).body()).contains("outcome-unconfirmed");
            upstream.close();
            slow.get(1, TimeUnit.MINUTES);
        }
    }

    /** A service that keeps its connection alive is never silent for as long as `upstream-timeout`. */
    @ParameterizedTest
    @ValueSource(strings = {"HTTP/1.1 201 Created\r\nContent-Length: 1000000\r\n\r\n", "HTTP/1.1 201 Created\r\n"})
    void answerThatNeverEndsIsUnknownAtTheMaximumRunTime(String head) throws Exception {
        try (var upstream = new RawUpstream((request, socket) -> {
                    RawUpstream.write(socket, head);
                    for (int i = 0; ; i++) {
                        RawUpstream.write(socket, head.endsWith("\r\n\r\n") ? "x" : "X-" + i + ": y\r\n");
                        Thread.sleep(100);
                    }
                });
                var gateway = new GatewayUnderTest(
                        upstream.address(), route("upstream-timeout: 30s", "lease: 1s", "max-run-time: 1s"))) {
            isUnknown(gateway.send(pay(key)));

            assertThat(gateway.state(key)).hasValue(RecordState.ATTENTION);
            assertThat(upstream.posts()).hasSize(1);
        }
    }

    @Test
    void atTheMaximumRunTimeNothingIsSentAgain() throws Exception {
        try (var upstream = new RawUpstream((request, socket) -> Thread.sleep(60_000));
                var gateway = new GatewayUnderTest(
                        upstream.address(),
                        route(
                                "upstream-honours-keys: 24h",
                                "upstream-timeout: 30s",
                                "lease: 1s",
                                "max-run-time: 1s"))) {
            var answer = gateway.send(pay(key));

            assertThat(answer.status()).isEqualTo(504);
            assertThat(answer.body()).contains("upstream-unanswered", "\"retryable\":true");
            assertThat(upstream.posts()).hasSize(1);
            assertThat(gateway.state(key)).hasValue(RecordState.RELEASED);
        }
    }

    /** A lookup that finds nothing proves nothing before the lease is over, because the request may still be on its way. */
    @Test
    void serviceThatHasNotGotItIsAskedAgainBeforeItIsSentASecondTime() throws Exception {
        var clock = new AtomicReference<>(Instant.now());
        var arrived = new CountDownLatch(1);
        try (var upstream = new RawUpstream((request, socket) -> {
                    if (request.isPost() && arrived.getCount() > 0) {
                        arrived.countDown();
                        RawUpstream.reset(socket);
                    } else if (request.isPost()) {
                        RawUpstream.answer(socket, 201, "made");
                    } else {
                        RawUpstream.answer(socket, 404, "none");
                    }
                });
                var gateway = GatewayUnderTest.by(clock::get, upstream.address(), route("lookup: /pay?key={key}"))) {
            var first = gateway.send(pay(key));
            assertThat(first.status()).isEqualTo(503);
            assertThat(first.body()).contains("outcome-unconfirmed", "\"retryable\":true");
            assertThat(gateway.send(pay(key)).body()).as("at once").contains("in-progress");

            clock.set(clock.get().plus(Duration.ofHours(1)));
            assertThat(gateway.send(pay(key)).status()).isEqualTo(201);
            assertThat(upstream.posts()).hasSize(2);
            assertThat(upstream.all())
                    .extracting(RawUpstream.ReceivedRequest::isPost)
                    .containsExactly(true, false, false, true);
        }
    }

    @Test
    void routeMaySayWhatItsServersErrorsMean() throws Exception {
        try (var upstream = new RawUpstream(RawUpstream.answering(503, "full"))) {
            try (var gateway = new GatewayUnderTest(upstream.address(), route("nothing-happened-on: [503]"))) {
                assertThat(gateway.send(pay(key)).status()).isEqualTo(503);
                assertThat(gateway.state(key)).hasValue(RecordState.RELEASED);
            }
            try (var gateway = new GatewayUnderTest(upstream.address(), route("server-errors: answer"))) {
                assertThat(gateway.send(pay(key)).body()).isEqualTo("full");
                assertThat(gateway.send(pay(key)).replayed()).isTrue();
            }
        }
    }

    @Test
    void requestRefusedByTooManyRequestsRunsOnRetry() throws Exception {
        try (var upstream = new RawUpstream(RawUpstream.answering(429, "slow down"));
                var gateway = new GatewayUnderTest(upstream.address(), route())) {
            assertThat(gateway.send(pay(key)).status()).isEqualTo(429);
            upstream.from(RawUpstream.answering(201, "made"));

            assertThat(gateway.send(pay(key)).status()).isEqualTo(201);
        }
    }

    @Test
    void serviceMaySayItself() throws Exception {
        try (var upstream = new RawUpstream((request, socket) -> RawUpstream.write(
                        socket,
                        "HTTP/1.1 500 Oops\r\nRefrain-Outcome: nothing-happened\r\nContent-Length: 4\r\n\r\noops"));
                var gateway = new GatewayUnderTest(upstream.address(), route())) {
            var first = gateway.send(pay(key));

            assertThat(first.status()).isEqualTo(500);
            assertThat(first.header("Refrain-Outcome")).isEmpty();
            assertThat(gateway.state(key)).hasValue(RecordState.RELEASED);
        }
    }

    @Test
    void clientThatHangsUpChangesNothing() throws Exception {
        var arrived = new CountDownLatch(1);
        var gone = new CountDownLatch(1);
        try (var upstream = new RawUpstream((request, socket) -> {
                    arrived.countDown();
                    gone.await(10, TimeUnit.SECONDS);
                    RawUpstream.answer(socket, 201, "made");
                });
                var gateway = new GatewayUnderTest(upstream.address(), route())) {
            try (var wire = new RawHttpConnection(gateway.server().port())) {
                wire.send(pay(key));
                assertThat(arrived.await(1, TimeUnit.MINUTES)).isTrue();
                wire.hangUp();
            }
            gone.countDown();

            await().untilAsserted(() -> assertThat(gateway.state(key)).hasValue(RecordState.COMPLETED));
            assertThat(gateway.send(pay(key)).body()).isEqualTo("made");
            assertThat(upstream.posts()).hasSize(1);
        }
    }

    /** The answer is too large to be held, and is there at once; but nobody reads it. */
    @Test
    void clientThatStopsReadingChangesNothing() throws Exception {
        int size = 32 << 20;
        try (var upstream = new RawUpstream((request, socket) -> {
                    RawUpstream.write(socket, "HTTP/1.1 201 Created\r\nContent-Length: " + size + "\r\n\r\n");
                    for (int written = 0; written < size; written += 1 << 20) {
                        RawUpstream.write(socket, "x".repeat(1 << 20));
                    }
                });
                var gateway = new GatewayUnderTest(upstream.address(), route("upstream-timeout: 5s"));
                var wire = new RawHttpConnection(gateway.server().port())) {
            wire.send(pay(key));

            await().untilAsserted(() -> assertThat(gateway.state(key)).hasValue(RecordState.COMPLETED));
            assertThat(gateway.send(pay(key)).status()).isEqualTo(409);
            assertThat(upstream.posts()).hasSize(1);
        }
    }

    @Test
    void clientsKeyGoesOnWhereTheRouteSaysSo() throws Exception {
        try (var upstream = new RawUpstream(RawUpstream.answering(201, "made"))) {
            for (String said : new String[] {"client", "none"}) {
                try (var gateway = new GatewayUnderTest(upstream.address(), route("forward-key: " + said))) {
                    gateway.send(pay(key));
                }
            }
            assertThat(upstream.posts().get(0).header("Idempotency-Key")).hasValue(key);
            assertThat(upstream.posts().get(1).header("Idempotency-Key")).isEmpty();
        }
    }

    /** A passing answer that ends in the middle is no answer: what it says may be half of it. */
    @Test
    void answerThatEndsInTheMiddleOfItsPassingNeedsAttention() throws Exception {
        try (var upstream = new RawUpstream((request, socket) -> {
                    RawUpstream.write(socket, "HTTP/1.1 200 OK\r\nContent-Length: 90000\r\n\r\n" + "x".repeat(50_000));
                    socket.close();
                });
                var gateway = new GatewayUnderTest(upstream.address(), route("max-outcome-bytes: 10KB"))) {
            try {
                gateway.send(pay(key));
                throw new AssertionError("A whole answer came.");
            } catch (java.io.EOFException brokenOff) {
                // As it should.
            }
            await().untilAsserted(() -> assertThat(gateway.state(key)).hasValue(RecordState.ATTENTION));
            assertThat(upstream.posts()).hasSize(1);
        }
    }
}
