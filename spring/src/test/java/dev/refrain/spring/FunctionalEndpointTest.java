package dev.refrain.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.refrain.api.LeaseExpiryPolicy;
import dev.refrain.http.OperationMode;
import dev.refrain.http.Route;
import dev.refrain.http.RoutePolicy;
import dev.refrain.spring.internal.boot.BootNames;
import dev.refrain.store.memory.MemoryStore;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.RouterFunctions;
import org.springframework.web.servlet.function.ServerResponse;

/** Functional endpoints of Spring MVC have no method to annotate: they are protected by a declared route, or by a setting. */
class FunctionalEndpointTest {

    private static final AtomicInteger RUNS = new AtomicInteger();

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {
        @Bean
        MemoryStore store() {
            return new MemoryStore();
        }

        @Bean
        RouterFunction<ServerResponse> payments() {
            return RouterFunctions.route()
                    .POST("/payments", request -> ServerResponse.status(201).body("payment " + RUNS.incrementAndGet()))
                    .POST("/refunds", request -> ServerResponse.status(201).body("refund " + RUNS.incrementAndGet()))
                    .build();
        }

        @Bean
        Route declared() {
            return Route.of("POST /payments", RoutePolicy.of(OperationMode.leased(LeaseExpiryPolicy.RESUME)));
        }
    }

    @Test
    void runsOnce() throws Exception {
        try (var context = new SpringApplication(Application.class)
                        .run(
                                "--server.port=0",
                                "--spring.main.banner-mode=off",
                                "--logging.level.root=error",
                                "--refrain.scope=shared",
                                "--refrain.routes.refunds.match=POST /refunds",
                                "--refrain.routes.refunds.mode=leased-resume",
                                "--spring.autoconfigure.exclude=" + BootNames.DATA_SOURCE);
                var client = HttpClient.newHttpClient()) {
            for (String path : new String[] {"/payments", "/refunds"}) {
                var request = HttpRequest.newBuilder(URI.create("http://localhost:" + ServerPort.of(context) + path))
                        .header("Idempotency-Key", "\"functional-" + path.substring(1) + "\"")
                        .POST(HttpRequest.BodyPublishers.ofString("{}"))
                        .build();
                var first = client.send(request, HttpResponse.BodyHandlers.ofString());
                var again = client.send(request, HttpResponse.BodyHandlers.ofString());

                assertThat(first.statusCode()).isEqualTo(201);
                assertThat(again.body()).isEqualTo(first.body());
                assertThat(again.headers().firstValue("Idempotent-Replayed")).contains("true");
            }
        }
        assertThat(RUNS).hasValue(2);
    }
}
