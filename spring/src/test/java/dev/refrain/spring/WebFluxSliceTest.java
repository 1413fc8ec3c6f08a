package dev.refrain.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.refrain.spring.test.AutoConfigureRefrain;
import dev.refrain.spring.test.ManualStoreClock;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.http.MediaType;
import org.springframework.test.context.TestPropertySource;
import org.springframework.test.web.reactive.server.WebTestClient;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;

/** A reactive slice with {@code @AutoConfigureRefrain} protects its handlers, without a database and without a server. */
@BootWebFluxTest
@AutoConfigureRefrain
@TestPropertySource(properties = {"refrain.scope=shared", "refrain.http.retention=24h"})
class WebFluxSliceTest {

    @Configuration(proxyBeanMethods = false)
    @Import(Charges.class)
    static class Application {}

    @RestController
    static class Charges {
        private final AtomicInteger runs = new AtomicInteger();

        @PostMapping("/charges")
        @Idempotent(mode = Idempotent.Mode.LEASED_RESUME)
        public Mono<String> charge() {
            return Mono.fromSupplier(() -> "charge " + runs.incrementAndGet());
        }
    }

    private final WebTestClient http;
    private final ManualStoreClock clock;
    private final Charges charges;

    @Autowired
    WebFluxSliceTest(WebTestClient http, ManualStoreClock clock, Charges charges) {
        this.http = http;
        this.clock = clock;
        this.charges = charges;
        charges.runs.set(0);
    }

    private WebTestClient.ResponseSpec send(String key) {
        return http.post()
                .uri("/charges")
                .header("Idempotency-Key", '"' + key + '"')
                .contentType(MediaType.APPLICATION_JSON)
                .bodyValue("{}")
                .exchange();
    }

    @Test
    void retryOfALeasedHandlerIsReplayed() {
        String key = UUID.randomUUID().toString();

        send(key).expectStatus().isOk().expectBody(String.class).isEqualTo("charge 1");
        send(key)
                .expectHeader()
                .valueEquals("Idempotent-Replayed", "true")
                .expectBody(String.class)
                .isEqualTo("charge 1");
        assertThat(charges.runs).hasValue(1);
    }

    @Test
    void keyExpiresWhenTheClockIsMoved() {
        String key = UUID.randomUUID().toString();
        send(key).expectBody(String.class).isEqualTo("charge 1");

        clock.advance(Duration.ofHours(23));
        send(key).expectBody(String.class).isEqualTo("charge 1");
        clock.advance(Duration.ofHours(2));
        send(key).expectBody(String.class).isEqualTo("charge 2");
    }

    @Test
    void requestWithoutAKeyIsRefusedAsInTheApplication() {
        http.post().uri("/charges").exchange().expectStatus().isBadRequest();
    }
}
