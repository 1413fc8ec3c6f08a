package dev.refrain.spring.webflux;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.refrain.http.cases.RawHttpRequest;
import dev.refrain.http.outgoing.DownstreamKeys;
import dev.refrain.spring.Idempotent;
import dev.refrain.spring.outgoing.WebClientKeyFilter;
import dev.refrain.store.Store;
import dev.refrain.store.memory.MemoryStore;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.Bean;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.reactive.function.client.WebClient;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** The key of a call downstream goes with the work, whatever thread it is made on. */
class WebClientKeysTest {

    private static final List<String> SEEN = new CopyOnWriteArrayList<>();
    private static final HttpServer PROVIDER = provider();

    private static HttpServer provider() {
        try {
            var provider = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
            provider.createContext("/", exchange -> {
                SEEN.add(Optional.ofNullable(exchange.getRequestHeaders().getFirst(DownstreamKeys.HEADER))
                        .orElse("none"));
                exchange.sendResponseHeaders(200, -1);
                exchange.close();
            });
            provider.start();
            return provider;
        } catch (java.io.IOException e) {
            throw new AssertionError(e);
        }
    }

    @RestController
    static class Shop {
        private final WebClient client;

        Shop(WebClient.Builder clients) {
            client = clients.build();
        }

        @Bean
        Store store() {
            return new MemoryStore();
        }

        @PostMapping("/charges")
        @Idempotent(mode = Idempotent.Mode.LEASED_RESUME)
        Mono<String> charge() {
            return Mono.delay(java.time.Duration.ofMillis(1), Schedulers.parallel())
                    .then(client.post()
                            .uri("http://127.0.0.1:" + PROVIDER.getAddress().getPort() + "/charges")
                            .attribute(WebClientKeyFilter.STEP, "charge")
                            .retrieve()
                            .toBodilessEntity())
                    .then(RefrainWebFilter.claim())
                    .map(claim -> claim.derivedKey("charge"));
        }
    }

    @Test
    void keyIsThatOfTheClaimInTheReactorContext() throws Exception {
        try (var server = ReactiveTestServer.start(beans -> {}, Shop.class, "--refrain.scope=shared")) {
            var answer = server.send(RawHttpRequest.post("/charges").key("\"" + ReactiveTestServer.newKey() + "\""));

            assertThat(SEEN).containsExactly("\"" + answer.body() + "\"");
        } finally {
            PROVIDER.stop(0);
        }
    }
}
