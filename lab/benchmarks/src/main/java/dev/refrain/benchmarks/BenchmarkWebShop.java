package dev.refrain.benchmarks;

import dev.refrain.spring.Idempotent;
import java.sql.SQLException;
import java.util.List;
import java.util.Objects;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.web.server.servlet.context.ServletWebServerApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.ResponseEntity;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

/** Spring application on virtual threads with the same handler twice, protected and not, and one that does nothing. */
final class BenchmarkWebShop implements AutoCloseable {

    private final ServletWebServerApplicationContext context;

    private BenchmarkWebShop(ServletWebServerApplicationContext context) {
        this.context = context;
    }

    static BenchmarkWebShop on(String url) throws SQLException {
        BenchmarkPaymentApp.on(url).close();
        return new BenchmarkWebShop((ServletWebServerApplicationContext) new SpringApplication(Application.class)
                .run(
                        "--spring.datasource.url=" + url,
                        "--spring.datasource.hikari.maximum-pool-size=" + BenchmarkPaymentApp.CONNECTIONS,
                        "--spring.datasource.hikari.minimum-idle=" + BenchmarkPaymentApp.CONNECTIONS,
                        "--spring.threads.virtual.enabled=true",
                        "--spring.main.banner-mode=off",
                        "--logging.level.root=off",
                        "--server.address=127.0.0.1",
                        "--server.port=0",
                        "--server.tomcat.max-keep-alive-requests=-1",
                        "--refrain.scope=shared"));
    }

    int port() {
        return Objects.requireNonNull(context.getWebServer()).getPort();
    }

    @Override
    public void close() {
        context.close();
    }

    /** Configuration of the Spring application. */
    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {
        @Bean
        Payments payments(JdbcTemplate jdbc) {
            return new Payments(jdbc);
        }
    }

    record Payment(String account, long amount, String currency, String reference) {}

    record Receipt(String state, List<Payment> payments, String padding) {}

    @RestController
    static class Payments {
        private static final Payment CONSTANT = new Payment("DE02120300000000202051", 1299, "EUR", "order 4711");
        private static final String PADDING = "x".repeat(800);

        private final JdbcTemplate jdbc;

        Payments(JdbcTemplate jdbc) {
            this.jdbc = jdbc;
        }

        @PostMapping("/unprotected")
        @Transactional
        public ResponseEntity<Receipt> unprotected(@RequestBody Payment payment) {
            return pay(payment);
        }

        @PostMapping("/protected")
        @Idempotent
        @Transactional
        public ResponseEntity<Receipt> guarded(@RequestBody Payment payment) {
            return pay(payment);
        }

        @PostMapping("/constant")
        public ResponseEntity<Receipt> constant(@RequestBody Payment payment) {
            return ResponseEntity.status(201).body(new Receipt("paid", List.of(CONSTANT), PADDING));
        }

        private ResponseEntity<Receipt> pay(Payment payment) {
            jdbc.update(
                    "INSERT INTO payments (account, amount, currency) VALUES (?, ?, ?)",
                    payment.account(),
                    payment.amount(),
                    payment.currency());
            return ResponseEntity.status(201).body(new Receipt("paid", List.of(payment), PADDING));
        }
    }
}
