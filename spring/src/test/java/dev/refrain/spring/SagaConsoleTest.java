package dev.refrain.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.refrain.console.ConsoleRequest;
import dev.refrain.console.OperatorConsole;
import dev.refrain.console.SagaSection;
import dev.refrain.saga.Saga;
import dev.refrain.spring.transaction.TransactionalOutbox;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Sagas that are beans have a section in the console, and so has the outbox. */
class SagaConsoleTest {

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

        @Bean
        RelayCustomizer receipts() {
            return relay -> relay.handle("receipts", (tx, delivery) -> {});
        }
    }

    private static ConfigurableApplicationContext shop(Path directory) {
        return new SpringApplication(Shop.class)
                .run(
                        "--server.port=0",
                        "--spring.main.banner-mode=off",
                        "--logging.level.root=off",
                        "--refrain.scope=shared",
                        "--refrain.console.enabled=true",
                        "--refrain.console.role=OPERATIONS",
                        "--spring.datasource.url=jdbc:sqlite:" + directory.resolve("shop.db"));
    }

    private static String page(ConfigurableApplicationContext shop, String path) {
        var reply = shop.getBean(OperatorConsole.class)
                .answer(new ConsoleRequest(
                        "GET", path, "", Map.of(), Map.of(), Map.of(), true, Optional.of("ann"), Map.of()));
        return new String(reply.body().bytes(), StandardCharsets.UTF_8);
    }

    @Test
    void sagasAreListedInTheConsole(@TempDir Path directory) {
        try (var shop = shop(directory)) {
            assertThat(shop.getBean(SagaSection.class).title()).isEqualTo("Sagas");
            assertThat(page(shop, "/sagas")).contains("order.place", "No unfinished sagas.", "Outbox", "Dead letters");
        }
    }

    /** Nobody had to tell the relay of the console, or the console of the relay. */
    @Test
    void deliveriesOfTheApplicationsRelayAreCounted(@TempDir Path directory) {
        try (var shop = shop(directory)) {
            var outbox = shop.getBean(TransactionalOutbox.class);
            new TransactionTemplate(shop.getBean(PlatformTransactionManager.class))
                    .executeWithoutResult(tx -> outbox.stage("receipts", "a book"));
            await().untilAsserted(
                            () -> assertThat(page(shop, "/outbox")).contains("1 messages delivered since startup"));
            assertThat(page(shop, "/")).contains("Dead letters</span><strong>0<");
        }
    }
}
