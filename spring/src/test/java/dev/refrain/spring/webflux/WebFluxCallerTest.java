package dev.refrain.spring.webflux;

import static dev.refrain.http.cases.RawHttpRequest.post;
import static org.assertj.core.api.Assertions.assertThat;

import dev.refrain.Refrain;
import dev.refrain.api.ScopedKey;
import dev.refrain.http.edge.RouteProtection;
import dev.refrain.spring.Idempotent;
import dev.refrain.store.Store;
import dev.refrain.store.memory.MemoryStore;
import java.security.Principal;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.Bean;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseCookie;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.WebFilter;
import reactor.core.publisher.Mono;

/** Whose keys a request uses, where the exchange's principal says so. */
class WebFluxCallerTest {

    /** What whoever authenticates makes an answer of, in front of Refrain. */
    static class Denied extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    @RestController
    static class Application {
        private final AtomicInteger runs = new AtomicInteger();

        @Bean
        Store store() {
            return new MemoryStore();
        }

        /** Authenticates in front of Refrain. */
        @Bean
        @Order(-100)
        WebFilter users() {
            return (exchange, chain) -> {
                String user = exchange.getRequest().getHeaders().getFirst("X-User");
                return chain.filter(
                                user == null
                                        ? exchange
                                        : exchange.mutate()
                                                .principal(Mono.just(() -> user))
                                                .build())
                        .onErrorResume(Denied.class, denied -> {
                            exchange.getResponse().setStatusCode(HttpStatus.FORBIDDEN);
                            return exchange.getResponse().setComplete();
                        });
            };
        }

        /** The principal is the same behind the filter as in front of it. */
        @PostMapping("/payments")
        @Idempotent(mode = Idempotent.Mode.LEASED_RESUME)
        Mono<String> pay(Principal principal) {
            return Mono.just(principal.getName() + " " + runs.incrementAndGet());
        }

        @PostMapping("/refunds")
        @Idempotent(mode = Idempotent.Mode.LEASED_RESUME)
        Mono<String> refund(ServerHttpResponse response) {
            response.getHeaders().set("X-Half-Done", "yes");
            response.addCookie(ResponseCookie.from("half", "done").build());
            return runs.incrementAndGet() == 1 ? Mono.error(new Denied()) : Mono.just("refunded");
        }
    }

    @Test
    void principalsKeysAreItsOwnAndNobodyHasAny() throws Exception {
        try (var server = ReactiveTestServer.start(beans -> {}, Application.class, "--refrain.scope=principal")) {
            var request = post("/payments").key("same-for-all");

            assertThat(server.send(request).body()).isEqualTo("alice 1");
            assertThat(server.send(request.as("bob")).body()).isEqualTo("bob 2");
            assertThat(server.send(request).body()).isEqualTo("alice 1");
            assertThat(server.send(request.without("X-User")).status()).isEqualTo(401);
        }
    }

    @Test
    void recordOfASharedKeySaysWhoSentIt() throws Exception {
        try (var server = ReactiveTestServer.start(beans -> {}, Application.class, "--refrain.scope=shared")) {
            server.send(post("/payments").key("of-bob").as("bob"));
            server.send(post("/refunds").key("of-nobody").without("X-User"));

            assertThat(caller(server, "of-bob")).contains("bob");
            assertThat(caller(server, "of-nobody")).isEmpty();
        }
    }

    private static Optional<String> caller(ReactiveTestServer server, String key) {
        return server.context()
                .getBean(Refrain.class)
                .admin()
                .explain(new ScopedKey("", RouteProtection.NAMESPACE, key))
                .orElseThrow()
                .caller();
    }

    @Test
    void failureGoesOnToWhoeverStandsInFrontAndNothingOfTheAnswerWithIt() throws Exception {
        try (var server = ReactiveTestServer.start(beans -> {}, Application.class, "--refrain.scope=principal")) {
            var request = post("/refunds").key("one-refund");

            var denied = server.send(request);

            assertThat(denied.status()).isEqualTo(403);
            assertThat(denied.header("X-Half-Done")).isEmpty();
            assertThat(denied.header("Set-Cookie")).isEmpty();
            var done = server.send(request);
            assertThat(done.body()).isEqualTo("refunded");
            assertThat(done.header("Set-Cookie")).hasValue("half=done");
            var again = server.send(request);
            assertThat(again.replayed()).isTrue();
            assertThat(again.header("X-Half-Done")).hasValue("yes");
            assertThat(again.header("Set-Cookie")).isEmpty();
        }
    }
}
