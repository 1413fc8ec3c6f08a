package dev.refrain.http.client;

import static dev.refrain.http.client.Wire.answer;
import static dev.refrain.http.client.Wire.halfAnswer;
import static dev.refrain.http.client.Wire.halfAnswerThenSilence;
import static dev.refrain.http.client.Wire.hangUp;
import static dev.refrain.http.client.Wire.problem;
import static dev.refrain.http.client.Wire.silence;
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

/** An intent is sent under one key until it is answered, and not longer than is right. */
@Timeout(60)
class SendingTest {

    private static final Wire.Fate PAID = answer(201, "paid");

    private final ManualTime time = new ManualTime();
    private final Intents intents = Intents.inMemory();

    private RefrainClientBuilder builder() {
        return RefrainClient.builder()
                .pendingRequests(intents)
                .clock(time)
                .random(new Random(5))
                .attemptTimeout(Duration.ofSeconds(20));
    }

    private static Request payment(Wire wire) {
        return Request.postJson(wire.uri(), "{\"cents\":1999}");
    }

    static Stream<Arguments> whatLeavesTheOutcomeUnknown() {
        return Stream.of(
                Arguments.of("the answer is dropped after the work", hangUp()),
                Arguments.of("half an answer", halfAnswer()));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("whatLeavesTheOutcomeUnknown")
    void is_sent_again_under_the_same_key_with_the_same_body(String what, Wire.Fate fate) throws Exception {
        try (var wire = new Wire(fate, fate, PAID)) {
            var answer = builder().build().send(payment(wire));

            assertThat(answer.attempts()).isEqualTo(3);
            assertThat(wire.keys()).hasSize(3);
            paidUnderOneKey(wire, answer);
        }
    }

    static Stream<Arguments> whatIsNotWaitedFor() {
        return Stream.of(
                Arguments.of("no answer", silence()),
                Arguments.of("half an answer, then silence", halfAnswerThenSilence()));
    }

    /** On a slow machine also an attempt that would be answered may be given up: then there are more of them. */
    @ParameterizedTest(name = "{0}")
    @MethodSource("whatIsNotWaitedFor")
    void and_so_is_what_is_not_answered_in_time(String what, Wire.Fate fate) throws Exception {
        try (var wire = new Wire(fate, fate, PAID)) {
            var answer =
                    builder().attemptTimeout(Duration.ofMillis(500)).build().send(payment(wire));

            assertThat(answer.attempts()).isGreaterThanOrEqualTo(3);
            paidUnderOneKey(wire, answer);
        }
    }

    private void paidUnderOneKey(Wire wire, Answer answer) throws IOException {
        assertThat(answer.status()).isEqualTo(201);
        assertThat(answer.text()).isEqualTo("paid");
        assertThat(wire.keys()).containsOnly('"' + answer.key() + '"');
        assertThat(wire.seen).extracting(Wire.Seen::body).containsOnly("{\"cents\":1999}");
        assertThat(intents.pending()).isEmpty();
    }

    @Test
    void each_intent_has_a_key_of_its_own() throws Exception {
        try (var wire = new Wire(PAID)) {
            var client = builder().build();
            client.send(payment(wire));
            client.send(payment(wire));

            assertThat(wire.keys()).doesNotHaveDuplicates().hasSize(2);
        }
    }

    @Test
    void a_replayed_answer_is_told_from_a_first_one() throws Exception {
        try (var wire = new Wire(PAID, answer(201, "paid", "Idempotent-Replayed: true"))) {
            var client = builder().build();

            assertThat(client.send(payment(wire)).replayed()).isFalse();
            assertThat(client.send(payment(wire)).replayed()).isTrue();
        }
    }

    @Test
    void retry_after_is_waited_for() throws Exception {
        try (var wire = new Wire(
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
    void what_the_server_calls_not_retryable_is_the_answer() throws Exception {
        try (var wire = new Wire(problem(409, "\"retryable\":false"))) {
            var answer = builder().build().send(payment(wire));

            assertThat(answer.status()).isEqualTo(409);
            assertThat(answer.attempts()).isEqualTo(1);
            assertThat(wire.seen).hasSize(1);
            assertThat(intents.pending()).isEmpty();
        }
    }

    @Test
    void an_unexplained_error_of_the_server_is_tried_again_only_where_the_caller_said_so() throws Exception {
        try (var wire = new Wire(answer(500, "oops"), answer(500, "oops"), PAID)) {
            assertThat(builder().build().send(payment(wire)).status()).isEqualTo(500);
            assertThat(builder().retryServerErrors().build().send(payment(wire)).status())
                    .isEqualTo(201);
        }
    }

    @Test
    void at_the_deadline_the_intent_is_pending_and_can_be_resumed_under_its_key() throws Exception {
        var now = new AtomicReference<>(answer(503, ""));
        try (var wire = new Wire(socket -> now.get().befall(socket))) {
            var client = builder().deadline(Duration.ofSeconds(30)).build();
            var unanswered = catchThrowableOfType(UnansweredException.class, () -> client.send(payment(wire)));

            assertThat(unanswered.lastStatus()).hasValue(503);
            assertThat(unanswered.attempts()).isEqualTo(wire.seen.size()).isGreaterThan(3);
            assertThat(Duration.between(ManualTime.START, time.now())).isLessThan(Duration.ofSeconds(30));
            assertThat(client.pending()).singleElement().satisfies(pending -> {
                assertThat(pending.key()).isEqualTo(unanswered.key());
                assertThat(pending.firstSent()).isEqualTo(ManualTime.START);
            });

            now.set(PAID);
            assertThat(client.resend(client.pending().getFirst()).text()).isEqualTo("paid");
            assertThat(wire.keys()).containsOnly('"' + unanswered.key() + '"');
            assertThat(client.pending()).isEmpty();
        }
    }

    @Test
    void a_server_that_asks_to_wait_beyond_the_deadline_is_not_waited_for() throws Exception {
        try (var wire = new Wire(answer(429, "", "Retry-After: 3600"))) {
            assertThatThrownBy(() -> builder().build().send(payment(wire))).isInstanceOf(UnansweredException.class);

            assertThat(time.pauses).isEmpty();
            assertThat(wire.seen).hasSize(1);
        }
    }

    @Test
    void one_attempt_takes_no_longer_than_the_deadline_leaves() throws Exception {
        try (var wire = new Wire(silence())) {
            var unanswered = catchThrowableOfType(
                    UnansweredException.class,
                    () -> builder().deadline(Duration.ofMillis(300)).build().send(payment(wire)));

            assertThat(unanswered).hasCauseInstanceOf(HttpTimeoutException.class);
            assertThat(unanswered.lastStatus()).isEmpty();
        }
    }

    @Test
    void a_server_that_is_away_is_tried_until_the_deadline() throws Exception {
        Request request;
        try (var wire = new Wire(PAID)) {
            request = payment(wire);
        }

        var unanswered = catchThrowableOfType(
                UnansweredException.class, () -> builder().build().send(request));

        assertThat(unanswered).hasCauseInstanceOf(ConnectException.class);
        assertThat(unanswered.attempts()).isGreaterThan(5);
        assertThat(intents.pending()).hasSize(1);
    }

    @Test
    void an_interrupt_leaves_the_intent_pending() throws Exception {
        try (var wire = new Wire(silence())) {
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
            assertThat(client.pending()).extracting(Intent::headerValue).containsExactly(seen.key());
        }
    }

    @Test
    void a_redirect_is_the_answer_unless_following_was_asked_for() throws Exception {
        try (var target = new Wire(PAID);
                var wire = new Wire(answer(307, "", "Location: " + target.uri()))) {
            assertThat(builder().build().send(payment(wire)).status()).isEqualTo(307);
            assertThat(target.seen).isEmpty();

            var followed = builder().followRedirects().build().send(payment(wire));
            assertThat(followed.status()).isEqualTo(201);
            assertThat(target.keys()).containsExactly('"' + followed.key() + '"');
        }
    }

    @Test
    void a_client_that_would_follow_redirects_by_itself_is_refused() {
        var follows = HttpClient.newBuilder()
                .followRedirects(HttpClient.Redirect.ALWAYS)
                .build();

        assertThatThrownBy(() -> builder().httpClient(follows).build()).hasMessageContaining("followRedirects");
        assertThat(builder().httpClient(follows).followRedirects().build()).isNotNull();
    }

    @Test
    void credentials_are_asked_for_at_each_attempt_and_cannot_change_the_key() throws Exception {
        var tokens = new AtomicInteger();
        try (var wire = new Wire(hangUp(), PAID)) {
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
    void a_file_is_read_anew_by_each_attempt(@TempDir Path folder) throws Exception {
        var file = Files.writeString(folder.resolve("body"), "from a file");
        try (var wire = new Wire(hangUp(), PAID)) {
            builder().build().send(Request.post(wire.uri(), Body.ofFile(file)));

            assertThat(wire.seen).extracting(Wire.Seen::body).containsExactly("from a file", "from a file");
        }
    }

    @Test
    void a_file_that_is_gone_is_not_waited_for(@TempDir Path folder) throws Exception {
        try (var wire = new Wire(PAID)) {
            assertThatThrownBy(
                            () -> builder().build().send(Request.post(wire.uri(), Body.ofFile(folder.resolve("gone")))))
                    .isInstanceOf(FileNotFoundException.class);
            assertThat(time.pauses).isEmpty();
            assertThat(intents.pending()).hasSize(1);
        }
    }

    @Test
    void the_intent_is_pending_until_its_answer_is_handled() throws Exception {
        try (var wire = new Wire(PAID)) {
            var client = builder().build();
            assertThatThrownBy(() -> client.send("order-17", payment(wire), answer -> {
                        throw new IllegalStateException("the database is away");
                    }))
                    .hasMessage("the database is away");
            assertThat(client.pending()).extracting(Intent::key).containsExactly("order-17");

            String booked = client.resend(client.pending().getFirst(), Answer::text);

            assertThat(booked).isEqualTo("paid");
            assertThat(client.pending()).isEmpty();
            assertThat(wire.keys()).containsExactly("\"order-17\"", "\"order-17\"");
        }
    }

    @Test
    void an_answer_is_not_lost_because_its_intent_could_not_be_removed() throws Exception {
        Intents sticky = new Sticky(intents);
        try (var wire = new Wire(PAID)) {
            assertThat(builder().pendingRequests(sticky).build().send(payment(wire)).text())
                    .isEqualTo("paid");
            assertThat(sticky.pending()).hasSize(1);
        }
    }

    @Test
    void what_cannot_be_kept_is_not_sent() throws Exception {
        try (var wire = new Wire(PAID)) {
            var client = builder().pendingRequests(new Full()).build();

            assertThatThrownBy(() -> client.send(payment(wire))).hasMessage("No space left on device");
            assertThat(wire.seen).isEmpty();
        }
    }

    private record Sticky(Intents real) implements Intents {
        @Override
        public Optional<Hold> save(Intent intent) throws IOException {
            var hold = real.save(intent).orElseThrow();
            return Optional.of(new Hold() {
                @Override
                public Intent request() {
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
        public Optional<Hold> acquire(String key) throws IOException {
            return real.acquire(key);
        }

        @Override
        public List<Intent> pending() throws IOException {
            return real.pending();
        }
    }

    private record Full() implements Intents {
        @Override
        public Optional<Hold> save(Intent intent) throws IOException {
            throw new IOException("No space left on device");
        }

        @Override
        public Optional<Hold> acquire(String key) {
            return Optional.empty();
        }

        @Override
        public List<Intent> pending() {
            return List.of();
        }
    }
}
