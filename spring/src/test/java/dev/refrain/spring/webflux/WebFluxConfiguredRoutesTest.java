package dev.refrain.spring.webflux;

import static dev.refrain.http.cases.RawHttpRequest.post;
import static org.assertj.core.api.Assertions.assertThat;

import dev.refrain.spring.Idempotent;
import dev.refrain.store.RecordState;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.context.annotation.Bean;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.reactive.function.server.RouterFunction;
import org.springframework.web.reactive.function.server.ServerResponse;
import org.springframework.web.server.ResponseStatusException;
import reactor.core.publisher.Mono;

/** Requests on routes of which only {@code refrain.routes} says how they are protected. */
class WebFluxConfiguredRoutesTest {

    private static final AtomicInteger RUNS = new AtomicInteger();

    @RegisterExtension
    static final ReactiveTestServer SERVER = ReactiveTestServer.inMemory(
            Shop.class,
            "--refrain.routes.notes.match=POST /notes/{id}",
            "--refrain.routes.notes.mode=leased-resume",
            "--refrain.routes.function.match=POST /function",
            "--refrain.routes.function.mode=leased-resume",
            "--refrain.routes.watched.match=POST /watched/**",
            "--refrain.routes.watched.mode=leased-resume",
            "--refrain.routes.watched.key-requirement=observe",
            "--refrain.routes.charges.match=POST /charges",
            "--refrain.routes.charges.profile=success-only");

    @RestController
    static class Shop {

        @PostMapping({"/notes/{id}", "/watched/{id}", "/unnamed/{id}"})
        Mono<String> note(@RequestBody String text) {
            return Mono.just(text + RUNS.incrementAndGet());
        }

        @PostMapping("/charges")
        @Idempotent(mode = Idempotent.Mode.LEASED_RESUME)
        Mono<String> charge() {
            RUNS.incrementAndGet();
            return Mono.error(new ResponseStatusException(HttpStatus.PAYMENT_REQUIRED));
        }

        @Bean
        RouterFunction<ServerResponse> function() {
            return CountingEndpoint.at("/function", RUNS);
        }
    }

    @BeforeEach
    void nothingRan() {
        RUNS.set(0);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/notes/7", "/function"})
    void routeNamedOnlyInTheConfigurationRunsOnce(String path) throws Exception {
        var request = post(path).key(ReactiveTestServer.newKey()).body("text/plain", "run ");

        assertThat(SERVER.send(request).body()).isEqualTo("run 1");
        var again = SERVER.send(request);

        assertThat(again.body()).isEqualTo("run 1");
        assertThat(again.replayed()).isTrue();
        assertThat(SERVER.send(post(path).body("text/plain", "run ")).status()).isEqualTo(400);
        assertThat(RUNS).hasValue(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/watched/7", "/unnamed/7", "/NOTES/7"})
    void observedOrUnnamedRouteRunsEachTime(String path) throws Exception {
        var request = post(path).key(ReactiveTestServer.newKey()).body("text/plain", "run ");

        for (int i = 1; i <= 2; i++) {
            var answer = SERVER.send(request);
            assertThat(answer.replayed()).isFalse();
            // Case matters to Spring as it does to the route: there is no handler, so nothing runs unprotected.
            assertThat(answer.status()).isEqualTo(path.startsWith("/NOTES") ? 404 : 200);
        }
        assertThat(RUNS).hasValue(path.startsWith("/NOTES") ? 0 : 2);
    }

    @Test
    void configurationOverridesAnAnnotatedHandler() throws Exception {
        String key = ReactiveTestServer.newKey();

        assertThat(SERVER.send(post("/charges").key(key)).status()).isEqualTo(402);
        assertThat(SERVER.stateOf(key)).as("success-only keeps no 402").isEqualTo(RecordState.RELEASED);
        assertThat(SERVER.send(post("/charges").key(key)).replayed()).isFalse();
        assertThat(RUNS).hasValue(2);
    }
}
