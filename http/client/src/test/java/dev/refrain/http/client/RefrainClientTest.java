package dev.refrain.http.client;

import static dev.refrain.http.client.ScriptedHttpServer.answer;
import static dev.refrain.http.client.ScriptedHttpServer.halfAnswer;
import static dev.refrain.http.client.ScriptedHttpServer.halfAnswerThenSilence;
import static dev.refrain.http.client.ScriptedHttpServer.hangUp;
import static dev.refrain.http.client.ScriptedHttpServer.problem;
import static dev.refrain.http.client.ScriptedHttpServer.silence;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.http.HttpClient;
import java.net.http.HttpTimeoutException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Requests are sent under one key until their final response, within deadline and retention. */
@Timeout(60)
class RefrainClientTest {

    private static final ScriptedHttpServer.RequestAction PAID = answer(201, "paid");

    private final ManualClientClock time = new ManualClientClock();
    private final PendingRequestStore intents = PendingRequestStore.inMemory();

    private RefrainClientBuilder builder() {
        return RefrainClient.builder()
                .pendingRequests(intents)
                .clock(time)
                .random(new Random(5))
                .attemptTimeout(Duration.ofSeconds(20));
    }

    private static ResendableRequest payment(ScriptedHttpServer wire) {
        return ResendableRequest.postJson(wire.uri(), "{\"cents\":1999}");
    }

    static Stream<Arguments> whatLeavesTheOutcomeUnknown() {
        return Stream.of(
                Arguments.of("the answer is dropped after the work", hangUp()),
                Arguments.of("half an answer", halfAnswer()));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("whatLeavesTheOutcomeUnknown")
    void failedAttemptIsRetriedUnderTheSameKeyWithTheSameBody(String what, ScriptedHttpServer.RequestAction fate)
            throws Exception {
        try (var wire = new ScriptedHttpServer(fate, fate, PAID)) {
            var answer = builder().build().send(payment(wire));

            assertThat(answer.attempts()).isEqualTo(3);
            assertThat(wire.keys()).hasSize(3);
            assertPaidUnderOneKey(wire, answer);
        }
    }

    static Stream<Arguments> whatIsNotWaitedFor() {
        return Stream.of(
                Arguments.of("no answer", silence()),
                Arguments.of("half an answer, then silence", halfAnswerThenSilence()));
    }

    /** On a slow machine more attempts may time out. */
    @ParameterizedTest(name = "{0}")
    @MethodSource("whatIsNotWaitedFor")
    void timedOutAttemptIsRetriedUnderTheSameKey(String what, ScriptedHttpServer.RequestAction fate) throws Exception {
        try (var wire = new ScriptedHttpServer(fate, fate, PAID)) {
            var answer =
                    builder().attemptTimeout(Duration.ofMillis(500)).build().send(payment(wire));

            assertThat(answer.attempts()).isGreaterThanOrEqualTo(3);
            assertPaidUnderOneKey(wire, answer);
        }
    }

    private void assertPaidUnderOneKey(ScriptedHttpServer wire, FinalResponse answer) throws IOException {
        assertThat(answer.status()).isEqualTo(201);
        assertThat(answer.text()).isEqualTo("paid");
        assertThat(wire.keys()).containsOnly('"' + answer.key() + '"');
        assertThat(wire.seen)
                .extracting(ScriptedHttpServer.RecordedRequest::body)
                .containsOnly("{\"cents\":1999}");
        assertThat(intents.pending()).isEmpty();
    }

    @Test
    void eachRequestHasItsOwnKey() throws Exception {
        try (var wire = new ScriptedHttpServer(PAID)) {
            var client = builder().build();
            client.send(payment(wire));
            client.send(payment(wire));

            assertThat(wire.keys()).doesNotHaveDuplicates().hasSize(2);
        }
    }

    @Test
    void replayedResponseIsRecognized() throws Exception {
        try (var wire = new ScriptedHttpServer(PAID, answer(201, "paid", "Idempotent-Replayed: true"))) {
            var client = builder().build();

            assertThat(client.send(payment(wire)).replayed()).isFalse();
            assertThat(client.send(payment(wire)).replayed()).isTrue();
        }
    }

    @Test
    void retryAfterIsHonoured() throws Exception {
        try (var wire = new ScriptedHttpServer(
                problem(409, "\"retryable\":true", "Retry-After: 3"),
                answer(503, "", "Date: Sun, 01 Mar 2026 09:00:00 GMT", "Retry-After: Sun, 01 Mar 2026 09:00:07 GMT"),
                PAID)) {
            assertThat(builder().build().send(payment(wire)).attempts()).isEqualTo(3);

            assertThat(time.pauses).hasSize(2);
            assertThat(time.pauses.get(0)).isBetween(Duration.ofSeconds(3), Duration.ofMillis(3_200));
            assertThat(time.pauses.get(1)).isBetween(Duration.ofSeconds(7), Duration.ofMillis(7_200));
        }
    }

    @Test
    void responseMarkedNotRetryableIsFinal() throws Exception {
        try (var wire = new ScriptedHttpServer(problem(409, "\"retryable\":false"))) {
            var answer = builder().build().send(payment(wire));

            assertThat(answer.status()).isEqualTo(409);
            assertThat(answer.attempts()).isEqualTo(1);
            assertThat(wire.seen).hasSize(1);
            assertThat(intents.pending()).isEmpty();
        }
    }

    @Test
    void unmarkedServerErrorIsRetriedOnlyIfConfigured() throws Exception {
        try (var wire = new ScriptedHttpServer(answer(500, "oops"), answer(500, "oops"), PAID)) {
            assertThat(builder().build().send(payment(wire)).status()).isEqualTo(500);
            assertThat(builder().retryServerErrors().build().send(payment(wire)).status())
                    .isEqualTo(201);
        }
    }

    @Test
    void requestIsPendingAfterTheDeadlineAndCanBeResent() throws Exception {
        var now = new AtomicReference<>(answer(503, ""));
        try (var wire = new ScriptedHttpServer(socket -> now.get().handle(socket))) {
            var client = builder().deadline(Duration.ofSeconds(30)).build();
            var unanswered =
                    catchThrowableOfType(RetryDeadlineExceededException.class, () -> client.send(payment(wire)));

            assertThat(unanswered.lastStatus()).hasValue(503);
            assertThat(unanswered.attempts()).isEqualTo(wire.seen.size()).isGreaterThan(3);
            assertThat(Duration.between(ManualClientClock.START, time.now())).isLessThan(Duration.ofSeconds(30));
            assertThat(client.pending()).singleElement().satisfies(pending -> {
                assertThat(pending.key()).isEqualTo(unanswered.key());
                assertThat(pending.firstSent()).isEqualTo(ManualClientClock.START);
            });

            now.set(PAID);
            assertThat(client.resend(client.pending().getFirst()).text()).isEqualTo("paid");
            assertThat(wire.keys()).containsOnly('"' + unanswered.key() + '"');
            assertThat(client.pending()).isEmpty();
        }
    }

    @Test
    void retryAfterBeyondTheDeadlineEndsTheCall() throws Exception {
        try (var wire = new ScriptedHttpServer(answer(429, "", "Retry-After: 3600"))) {
            assertThatThrownBy(() -> builder().build().send(payment(wire)))
                    .isInstanceOf(RetryDeadlineExceededException.class);

            assertThat(time.pauses).isEmpty();
            assertThat(wire.seen).hasSize(1);
        }
    }

    @Test
    void attemptTakesNoLongerThanTheRemainingDeadline() throws Exception {
        try (var wire = new ScriptedHttpServer(silence())) {
            var unanswered = catchThrowableOfType(
                    RetryDeadlineExceededException.class,
                    () -> builder().deadline(Duration.ofMillis(300)).build().send(payment(wire)));

            assertThat(unanswered)
                    .hasCauseInstanceOf(HttpTimeoutException.class)
                    .hasMessageContaining("the last one failed (HttpTimeoutException: ");
            assertThat(unanswered.lastStatus()).isEmpty();
        }
    }

    @Test
    void unreachableServerIsRetriedUntilTheDeadline() throws Exception {
        ResendableRequest request;
        try (var wire = new ScriptedHttpServer(PAID)) {
            request = payment(wire);
        }

        var unanswered = catchThrowableOfType(
                RetryDeadlineExceededException.class, () -> builder().build().send(request));

        assertThat(unanswered)
                .hasCauseInstanceOf(ConnectException.class)
                .hasMessageContaining("the last one failed (ConnectException");
        assertThat(unanswered.attempts()).isGreaterThan(5);
        assertThat(intents.pending()).hasSize(1);
    }

    @Test
    void interruptLeavesRequestPending() throws Exception {
        try (var wire = new ScriptedHttpServer(silence())) {
            var client = builder().build();
            var ended = new CompletableFuture<Throwable>();
            var sender = Thread.ofVirtual().start(() -> {
                try {
                    client.send(payment(wire));
                } catch (Exception e) {
                    ended.complete(e);
                }
            });
            var seen = wire.seen.take();
            sender.interrupt();

            assertThat(ended.get()).isInstanceOf(InterruptedException.class);
            sender.join();
            assertThat(client.pending()).extracting(PendingRequest::headerValue).containsExactly(seen.key());
        }
    }

    @Test
    void redirectIsFinalUnlessFollowed() throws Exception {
        try (var target = new ScriptedHttpServer(PAID);
                var wire = new ScriptedHttpServer(answer(307, "", "Location: " + target.uri()))) {
            assertThat(builder().build().send(payment(wire)).status()).isEqualTo(307);
            assertThat(target.seen).isEmpty();

            var followed = builder().followRedirects().build().send(payment(wire));
            assertThat(followed.status()).isEqualTo(201);
            assertThat(target.keys()).containsExactly('"' + followed.key() + '"');
        }
    }

    @Test
    void httpClientThatFollowsRedirectsIsRejected() {
        var follows = HttpClient.newBuilder()
                .followRedirects(HttpClient.Redirect.ALWAYS)
                .build();

        assertThatThrownBy(() -> builder().httpClient(follows).build()).hasMessageContaining("followRedirects");
        assertThat(builder().httpClient(follows).followRedirects().build()).isNotNull();
    }

    @Test
    void eachAttemptSetsFreshCredentialsAndCannotChangeTheKey() throws Exception {
        var tokens = new AtomicInteger();
        try (var wire = new ScriptedHttpServer(hangUp(), PAID)) {
            var answer = builder()
                    .eachAttempt(request -> request.header("Authorization", "Bearer " + tokens.incrementAndGet())
                            .header("Idempotency-Key", "forged"))
                    .build()
                    .send(payment(wire));

            assertThat(wire.seen)
                    .flatExtracting(seen -> seen.headers("Authorization"))
                    .containsExactly("Bearer 1", "Bearer 2");
            assertThat(wire.seen)
                    .flatExtracting(seen -> seen.headers("Idempotency-Key"))
                    .containsExactly('"' + answer.key() + '"', '"' + answer.key() + '"');
        }
    }

    @Test
    void fileBodyIsReadForEachAttempt(@TempDir Path folder) throws Exception {
        var file = Files.writeString(folder.resolve("body"), "from a file");
        try (var wire = new ScriptedHttpServer(hangUp(), PAID)) {
            builder().build().send(ResendableRequest.post(wire.uri(), ResendableBody.ofFile(file)));

            assertThat(wire.seen)
                    .extracting(ScriptedHttpServer.RecordedRequest::body)
                    .containsExactly("from a file", "from a file");
        }
    }

    @Test
    void missingFileBodyFailsAtOnce(@TempDir Path folder) throws Exception {
        try (var wire = new ScriptedHttpServer(PAID)) {
            assertThatThrownBy(() -> builder()
                            .build()
                            .send(ResendableRequest.post(wire.uri(), ResendableBody.ofFile(folder.resolve("gone")))))
                    .isInstanceOf(FileNotFoundException.class);
            assertThat(time.pauses).isEmpty();
            assertThat(intents.pending()).hasSize(1);
        }
    }

    @Test
    void requestIsPendingUntilItsResponseIsHandled() throws Exception {
        try (var wire = new ScriptedHttpServer(PAID)) {
            var client = builder().build();
            assertThatThrownBy(() -> client.send("order-17", payment(wire), answer -> {
                        throw new IllegalStateException("the database is away");
                    }))
                    .hasMessage("the database is away");
            assertThat(client.pending()).extracting(PendingRequest::key).containsExactly("order-17");

            String booked = client.resend(client.pending().getFirst(), FinalResponse::text);

            assertThat(booked).isEqualTo("paid");
            assertThat(client.pending()).isEmpty();
            assertThat(wire.keys()).containsExactly("\"order-17\"", "\"order-17\"");
        }
    }

    @Test
    void responseIsReturnedThoughRequestCouldNotBeRemoved() throws Exception {
        PendingRequestStore sticky = new UndeletableRequestStore(intents);
        try (var wire = new ScriptedHttpServer(PAID)) {
            assertThat(builder()
                            .pendingRequests(sticky)
                            .build()
                            .send(payment(wire))
                            .text())
                    .isEqualTo("paid");
            assertThat(sticky.pending()).hasSize(1);
        }
    }

    @Test
    void requestThatCannotBeSavedIsNotSent() throws Exception {
        try (var wire = new ScriptedHttpServer(PAID)) {
            var client = builder().pendingRequests(new FullRequestStore()).build();

            assertThatThrownBy(() -> client.send(payment(wire))).hasMessage("No space left on device");
            assertThat(wire.seen).isEmpty();
        }
    }

    private record UndeletableRequestStore(PendingRequestStore real) implements PendingRequestStore {
        @Override
        public Optional<PendingRequestLock> save(PendingRequest intent) throws IOException {
            var hold = real.save(intent).orElseThrow();
            return Optional.of(new PendingRequestLock() {
                @Override
                public PendingRequest request() {
                    return hold.request();
                }

                @Override
                public boolean isNew() {
                    return hold.isNew();
                }

                @Override
                public void complete() throws IOException {
                    throw new IOException("read-only file system");
                }

                @Override
                public void close() {
                    hold.close();
                }
            });
        }

        @Override
        public Optional<PendingRequestLock> acquire(String key) throws IOException {
            return real.acquire(key);
        }

        @Override
        public List<PendingRequest> pending() throws IOException {
            return real.pending();
        }
    }

    private record FullRequestStore() implements PendingRequestStore {
        @Override
        public Optional<PendingRequestLock> save(PendingRequest intent) throws IOException {
            throw new IOException("No space left on device");
        }

        @Override
        public Optional<PendingRequestLock> acquire(String key) {
            return Optional.empty();
        }

        @Override
        public List<PendingRequest> pending() {
            return List.of();
        }
    }
}
