package dev.refrain.spring.webflux;

import static dev.refrain.http.cases.RawHttpRequest.post;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.refrain.spring.Idempotent;
import dev.refrain.store.RecordState;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.WebFilter;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/** A filter in front that answers by itself when a handler takes too long, as limiters of time do. */
class WebFluxTimeoutFilterTest {

    private static final AtomicInteger RUNS = new AtomicInteger();
    private static final Sinks.Empty<Void> ANSWERED = Sinks.empty();

    @RegisterExtension
    static final ReactiveTestServer SERVER = ReactiveTestServer.inMemory(Application.class);

    @RestController
    static class Application {

        @PostMapping("/statement")
        @Idempotent(mode = Idempotent.Mode.LEASED_RESUME)
        Mono<String> statement() {
            RUNS.incrementAndGet();
            return ANSWERED.asMono().thenReturn("x".repeat(3_000_000));
        }

        @Bean
        @Order(-10)
        WebFilter impatient() {
            return (exchange, chain) -> chain.filter(exchange).timeout(Duration.ofMillis(300), Mono.defer(() -> {
                exchange.getResponse().setStatusCode(HttpStatus.GATEWAY_TIMEOUT);
                return exchange.getResponse().setComplete();
            }));
        }
    }

    @Test
    void largeAnswerThatNobodyWaitsForIsTheOutcomeAllTheSame() throws Exception {
        String key = ReactiveTestServer.newKey();
        var request = post("/statement").key(key);

        assertThat(SERVER.send(request).status()).isEqualTo(504);
        ANSWERED.tryEmitEmpty();

        await().until(() -> SERVER.stateOf(key) != RecordState.IN_PROGRESS);
        assertThat(SERVER.stateOf(key)).isEqualTo(RecordState.COMPLETED);
        assertThat(SERVER.send(request).body()).contains("answer-not-kept");
        assertThat(RUNS).hasValue(1);
    }
}
