package dev.refrain.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.refrain.saga.Saga;
import dev.refrain.saga.SagaResult;
import dev.refrain.saga.SagaRunner;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.file.Path;
import java.sql.Connection;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;

/** Sagas that are beans are looked after without a word of the application's. */
class SagaBeansTest {

    private static final AtomicBoolean PRINTED = new AtomicBoolean();

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Shop {

        @Bean
        MeterRegistry meters() {
            return new SimpleMeterRegistry();
        }

        @Bean
        Saga<String, Connection> place() {
            return Saga.of("order.place", String.class)
                    .overdueAfter(Duration.ofMillis(1))
                    .job("print", (tx, at) -> {}, (tx, at) -> printed(), (tx, at) -> {})
                    .build();
        }

        private static Optional<String> printed() {
            return PRINTED.get() ? Optional.of("paper") : Optional.empty();
        }
    }

    @Test
    @SuppressWarnings("unchecked")
    void overdueSagaIsReportedAndAbandonedOneIsFinished(@TempDir Path directory) throws Exception {
        PRINTED.set(false);
        try (var shop = new SpringApplicationBuilder(Shop.class)
                .web(WebApplicationType.NONE)
                .run(
                        "--spring.main.banner-mode=off",
                        "--logging.level.root=off",
                        "--refrain.scope=shared",
                        "--refrain.completer.interval=20ms",
                        "--refrain.completer.grace-period=0s",
                        "--refrain.completer.max-attempts=1000",
                        "--refrain.completer.first-backoff=50ms",
                        "--spring.datasource.url=jdbc:sqlite:" + directory.resolve("shop.db"))) {
            var meters = shop.getBean(MeterRegistry.class);
            var sagas = (SagaRunner<Connection>) shop.getBean(SagaRunner.class);
            var place = (Saga<String, Connection>) shop.getBean(Saga.class);

            assertThat(sagas.runForResult(place, "one", "a book")).isInstanceOf(SagaResult.Unfinished.class);
            await().atMost(Duration.ofMinutes(1))
                    .until(() -> meters.find("refrain.trouble")
                                    .tag("kind", "overdue")
                                    .counter()
                            != null);
            assertThat(meters.get("refrain.outbox.oldest").timeGauge().value()).isZero();

            PRINTED.set(true);
            // It would have been asked for a while later.
            shop.getBean(JdbcTemplate.class).update("UPDATE refrain_payload SET due_at = 0 WHERE kind = 2");
            await().atMost(Duration.ofMinutes(1))
                    .until(() -> sagas.unfinished(place, 10).isEmpty());
        }
    }
}
