package dev.refrain.spring.webflux;

import static dev.refrain.http.cases.RawHttpRequest.post;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.refrain.api.EffectUnknownException;
import dev.refrain.http.cases.CapturedWarningLines;
import dev.refrain.http.cases.RawHttpResponse;
import dev.refrain.spring.Idempotent;
import dev.refrain.store.RecordState;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/** A handler that still runs after its maximum run time: its client is answered, and its late outcome is stored. */
class WebFluxMaxRunTimeTest {

    private static final AtomicInteger RUNS = new AtomicInteger();
    private static volatile Sinks.Empty<Void> end = Sinks.empty();
    private static volatile CountDownLatch blocked = new CountDownLatch(1);

    @RegisterExtension
    static final ReactiveTestServer SERVER = ReactiveTestServer.inMemory(
            Application.class,
            "--refrain.http.lease=1s",
            "--refrain.http.max-run-time=1s",
            "--refrain.http.log-keys=full");

    @RestController
    static class Application {

        @PostMapping("/waiting")
        @Idempotent(mode = Idempotent.Mode.LEASED_HOLD)
        Mono<ResponseEntity<String>> waiting() {
            RUNS.incrementAndGet();
            return end.asMono().thenReturn(paid());
        }

        @PostMapping("/blocking")
        @Idempotent(mode = Idempotent.Mode.LEASED_HOLD)
        Mono<ResponseEntity<String>> blocking() throws InterruptedException {
            RUNS.incrementAndGet();
            blocked.await();
            return Mono.just(paid());
        }

        @PostMapping("/unknown")
        @Idempotent(mode = Idempotent.Mode.LEASED_HOLD)
        Mono<String> unknown() {
            return Mono.error(new EffectUnknownException("The bank did not answer.", null));
        }

        /** Larger than what is kept, so that it would be streamed. */
        @PostMapping("/large")
        @Idempotent(mode = Idempotent.Mode.LEASED_HOLD)
        Mono<String> large() {
            RUNS.incrementAndGet();
            return end.asMono().thenReturn("x".repeat(3_000_000));
        }

        @PostMapping(path = "/stream", produces = MediaType.TEXT_EVENT_STREAM_VALUE)
        @Idempotent(mode = Idempotent.Mode.LEASED_HOLD)
        Flux<String> stream() {
            RUNS.incrementAndGet();
            return Flux.just("1").concatWith(Mono.delay(Duration.ofMillis(2500)).thenReturn("2"));
        }

        private static ResponseEntity<String> paid() {
            return ResponseEntity.status(201).header("X-From", "the handler").body("paid");
        }
    }

    @BeforeEach
    void begin() {
        RUNS.set(0);
        end = Sinks.empty();
        blocked = new CountDownLatch(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/waiting", "/blocking"})
    void clientIsAnsweredAndTheLateOutcomeIsReplayed(String path) throws Exception {
        String key = ReactiveTestServer.newKey();
        var request = post(path).key(key);

        RawHttpResponse told;
        try (var log = new CapturedWarningLines(CapturedWarningLines.UNKNOWN_OUTCOMES)) {
            told = SERVER.send(request);
            assertThat(log.containing(key))
                    .singleElement()
                    .asString()
                    .startsWith("Unknown outcome of POST " + path + ", key " + key + ", record ")
                    .contains("still runs after its maximum run time", "the key needs attention", "raise max-run-time");
        }

        assertThat(told.status()).isEqualTo(503);
        assertThat(told.body()).contains("still-running", "\"retryable\":true", "same key");
        assertThat(told.header("Retry-After")).isPresent();
        assertThat(SERVER.stateOf(key)).isEqualTo(RecordState.IN_PROGRESS);

        end.tryEmitEmpty();
        blocked.countDown();
        await().until(() -> SERVER.stateOf(key) == RecordState.COMPLETED);
        var replayed = SERVER.send(request);
        assertThat(replayed.status()).isEqualTo(201);
        assertThat(replayed.body()).isEqualTo("paid");
        assertThat(replayed.header("X-From")).contains("the handler");
        assertThat(replayed.replayed()).isTrue();
        assertThat(RUNS).hasValue(1);
    }

    @Test
    void outcomeThatTheHandlerDoesNotKnowIsLogged() throws Exception {
        String key = ReactiveTestServer.newKey();
        try (var log = new CapturedWarningLines(CapturedWarningLines.UNKNOWN_OUTCOMES)) {
            SERVER.send(post("/unknown").key(key));

            assertThat(SERVER.stateOf(key)).isEqualTo(RecordState.ATTENTION);
            assertThat(log.containing(key))
                    .singleElement()
                    .asString()
                    .startsWith("Unknown outcome of POST /unknown, key " + key + ", record ")
                    .contains("The bank did not answer.", "refrain keys resolve");
        }
    }

    @Test
    void lateResponseThatIsTooLargeToKeepIsDropped() throws Exception {
        String key = ReactiveTestServer.newKey();
        var request = post("/large").key(key);

        assertThat(SERVER.send(request).body()).contains("still-running");
        end.tryEmitEmpty();

        await().until(() -> SERVER.stateOf(key) == RecordState.COMPLETED);
        assertThat(SERVER.send(request).body()).contains("answer-not-kept");
        assertThat(RUNS).hasValue(1);
    }

    /** The client has its head and a part of its body: another answer cannot follow. */
    @Test
    void streamThatHasBegunGoesOn() throws Exception {
        assertThat(SERVER.send(post("/stream").key(ReactiveTestServer.newKey())).body())
                .contains("data:1", "data:2")
                .doesNotContain("still-running");
    }
}
