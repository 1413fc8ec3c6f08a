package dev.refrain.spring;

import static dev.refrain.http.cases.RawHttpRequest.post;
import static org.assertj.core.api.Assertions.assertThat;

import dev.refrain.http.cases.RawHttpConnection;
import dev.refrain.http.cases.RawHttpRequest;
import dev.refrain.http.cases.RawHttpResponse;
import dev.refrain.spring.internal.boot.BootNames;
import dev.refrain.store.Store;
import dev.refrain.store.memory.MemoryStore;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

/** An answer that cannot be written as the client asked is found out after the handler ran. */
class NotAcceptableTest {

    private static final AtomicInteger RUNS = new AtomicInteger();

    record Payment(int amount) {}

    @RestController
    @EnableAutoConfiguration
    static class Application {

        @Bean
        Store store() {
            return new MemoryStore();
        }

        @PostMapping("/payments")
        @Idempotent(mode = Idempotent.Mode.LEASED_HOLD)
        Payment pay(@RequestBody Payment payment) {
            RUNS.incrementAndGet();
            return payment;
        }
    }

    @Test
    void handlerThatRanDoesNotRunAgain() throws Exception {
        try (var context = SpringApplication.run(
                Application.class,
                "--server.port=0",
                "--server.address=127.0.0.1",
                "--refrain.scope=shared",
                "--spring.main.banner-mode=off",
                "--spring.autoconfigure.exclude=" + BootNames.DATA_SOURCE,
                "--logging.level.root=error")) {
            var request = post("/payments").key("once").json("{\"amount\":1}").line("Accept: image/png");

            assertThat(send(context, request).status()).isEqualTo(406);
            assertThat(send(context, request).replayed()).isTrue();
            assertThat(RUNS).hasValue(1);
        }
    }

    private static RawHttpResponse send(ConfigurableApplicationContext context, RawHttpRequest request)
            throws IOException {
        try (var wire = new RawHttpConnection(ServerPort.of(context))) {
            wire.send(request);
            return wire.receive();
        }
    }
}
