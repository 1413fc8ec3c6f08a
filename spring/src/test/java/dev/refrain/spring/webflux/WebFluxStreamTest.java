package dev.refrain.spring.webflux;

import static dev.refrain.http.cases.RawHttpRequest.post;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.refrain.http.cases.RawHttpConnection;
import dev.refrain.spring.Idempotent;
import dev.refrain.store.RecordState;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.http.MediaType;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** Answers that pass through WebFlux as they come. */
class WebFluxStreamTest {

    private static final AtomicInteger RUNS = new AtomicInteger();

    @RegisterExtension
    static final ReactiveTestServer SERVER = ReactiveTestServer.inMemory(Application.class);

    private static volatile CountDownLatch gone = new CountDownLatch(0);

    @RestController
    static class Application {

        /** Long, in a hundred pieces, and with the client gone after the first. */
        @PostMapping(path = "/ticks", produces = MediaType.TEXT_EVENT_STREAM_VALUE)
        @Idempotent(mode = Idempotent.Mode.LEASED_RESUME)
        Flux<String> ticks() {
            return Flux.range(0, 100)
                    .publishOn(Schedulers.boundedElastic())
                    .doOnNext(tick -> {
                        if (tick == 1) {
                            awaitGone();
                        }
                        RUNS.incrementAndGet();
                    })
                    .map(tick -> "x".repeat(100_000));
        }

        @PostMapping("/large")
        @Idempotent(mode = Idempotent.Mode.LEASED_RESUME)
        Mono<Void> large(ServerHttpResponse response) {
            response.getHeaders().setContentLength(3_000_000);
            return response.writeWith(Flux.range(0, 300)
                    .map(i -> response.bufferFactory()
                            .wrap("0123456789".repeat(1_000).getBytes(StandardCharsets.US_ASCII))));
        }

        @PostMapping(path = "/flood", produces = MediaType.TEXT_EVENT_STREAM_VALUE)
        @Idempotent(mode = Idempotent.Mode.LEASED_RESUME)
        Flux<String> flood() {
            String piece = "x".repeat(100_000);
            return Flux.range(0, 1_000).map(tick -> piece).doOnNext(tick -> RUNS.incrementAndGet());
        }

        @PostMapping(path = "/broken", produces = MediaType.TEXT_EVENT_STREAM_VALUE)
        @Idempotent(mode = Idempotent.Mode.LEASED_RESUME)
        Flux<String> broken() {
            RUNS.incrementAndGet();
            return Flux.concat(Mono.just("one"), Mono.error(new IllegalStateException("no more")));
        }
    }

    private static void awaitGone() {
        try {
            if (!gone.await(1, TimeUnit.MINUTES)) {
                throw new AssertionError("The client did not go.");
            }
        } catch (InterruptedException e) {
            throw new AssertionError("The handler was disturbed.", e);
        }
    }

    @BeforeEach
    void nothingRan() {
        RUNS.set(0);
    }

    @Test
    void streamGoesOnWithoutItsClientAndIsDone() throws Exception {
        String key = ReactiveTestServer.newKey();
        var request = post("/ticks").key(key);
        gone = new CountDownLatch(1);
        try (var wire = new RawHttpConnection(SERVER.port())) {
            wire.send(request);
            hangUpInTheMiddle(wire);
        }
        gone.countDown();

        await().until(() -> SERVER.stateOf(key) == RecordState.COMPLETED);
        assertThat(RUNS).hasValue(100);
        assertThat(SERVER.send(request).body()).contains("answer-not-kept");
    }

    /** The head comes, and not the end. */
    private static void hangUpInTheMiddle(RawHttpConnection wire) throws Exception {
        var head = Thread.startVirtualThread(() -> {
            try {
                wire.receive();
            } catch (Exception hungUp) {
                // As it should be.
            }
        });
        await().until(() -> RUNS.get() == 1);
        wire.hangUp();
        head.join();
    }

    @Test
    void largeAnswerIsDoneBeforeItsLastByteIsSent() throws Exception {
        for (int i = 0; i < 10; i++) {
            var request = post("/large").key(ReactiveTestServer.newKey());

            var first = SERVER.send(request);

            assertThat(first.body()).hasSize(3_000_000);
            assertThat(first.header("Content-Length")).hasValue("3000000");
            assertThat(SERVER.send(request).body()).contains("answer-not-kept");
        }
    }

    @Test
    void streamThatFailsInTheMiddleBreaksOffAndMayBeSentAgain() throws Exception {
        String key = ReactiveTestServer.newKey();
        var request = post("/broken").key(key);

        assertThatThrownBy(() -> SERVER.send(request)).isInstanceOf(IOException.class);

        await().until(() -> SERVER.stateOf(key) == RecordState.RELEASED);
        assertThat(RUNS).hasValue(1);
    }

    @Test
    void streamIsWrittenNoFasterThanItsClientReads() throws Exception {
        String key = ReactiveTestServer.newKey();
        try (var wire = new RawHttpConnection(SERVER.port())) {
            wire.send(post("/flood").key(key));

            await().until(() -> RUNS.get() > 0);
            await().during(Duration.ofMillis(500)).until(() -> RUNS.get() < 900);
            assertThat(SERVER.stateOf(key)).isEqualTo(RecordState.IN_PROGRESS);
            wire.hangUp();
        }

        await().until(() -> SERVER.stateOf(key) == RecordState.COMPLETED);
        assertThat(RUNS).hasValue(1_000);
    }
}
