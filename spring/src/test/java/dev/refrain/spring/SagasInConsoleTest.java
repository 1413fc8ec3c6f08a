package dev.refrain.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.refrain.console.Console;
import dev.refrain.console.ConsoleRequest;
import dev.refrain.console.SagaSection;
import dev.refrain.flow.saga.Saga;
import java.nio.file.Path;
import java.sql.Connection;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Sagas that are beans have a section in the console. */
class SagasInConsoleTest {

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Shop {

        @Bean
        Saga<String, Connection> place() {
            return Saga.of("order.place", String.class)
                    .overdueAfter(Duration.ofMinutes(1))
                    .step("reserve", (tx, at) -> "shelf 7")
                    .build();
        }
    }

    @Test
    void theyAreListed(@TempDir Path directory) {
        try (var shop = new SpringApplication(Shop.class)
                .run(
                        "--server.port=0",
                        "--spring.main.banner-mode=off",
                        "--logging.level.root=off",
                        "--refrain.scope=one-tenant",
                        "--refrain.console.enabled=true",
                        "--refrain.console.role=OPERATIONS",
                        "--spring.datasource.url=jdbc:sqlite:" + directory.resolve("shop.db"))) {
            assertThat(shop.getBean(SagaSection.class).title()).isEqualTo("Sagas");
            var reply = shop.getBean(Console.class)
                    .answer(new ConsoleRequest(
                            "GET", "/sagas", "", Map.of(), Map.of(), Map.of(), true, Optional.of("ann"), Map.of()));
            assertThat(new String(reply.body().bytes(), java.nio.charset.StandardCharsets.UTF_8))
                    .contains("order.place", "All have ended.", "Outbox", "Dead letters");
        }
    }
}
