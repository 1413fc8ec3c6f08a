package dev.refrain.spring;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.refrain.api.CurrentClaim;
import dev.refrain.crash.CrashInjector;
import dev.refrain.crash.CrashMatrix;
import dev.refrain.crash.CrashReport.CrashResult;
import dev.refrain.crash.CrashableApplication;
import dev.refrain.crash.EffectChecks;
import dev.refrain.crash.InProcessTrial;
import dev.refrain.servers.PostgresServer;
import dev.refrain.spring.test.CrashableSpringApplication;
import java.net.URI;
import java.net.http.HttpRequest;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.Collectors;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.env.Environment;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

/** An application as Spring Boot starts it is killed at every crash point of a request, and started again. */
class CrashableSpringApplicationTest {

    private static String url = "";

    @BeforeAll
    static void createTables() throws SQLException {
        url = PostgresServer.shared().freshDatabase();
        try (var connection = DriverManager.getConnection(url);
                var statement = connection.createStatement()) {
            // Nothing is unique, so that a second effect is seen and not refused.
            statement.execute("CREATE TABLE orders (item text)");
        }
    }

    /** Another system, which no crash of ours touches. */
    interface Bank {
        String charge(String key);
    }

    private static final class FakeBank implements Bank {
        private final Map<String, String> byKey = new ConcurrentHashMap<>();
        private final AtomicInteger charges = new AtomicInteger();

        @Override
        public String charge(String key) {
            return byKey.computeIfAbsent(key, k -> "ch_" + charges.incrementAndGet());
        }
    }

    @RestController
    static class Orders {
        private final JdbcTemplate jdbc;
        private final Bank bank;

        Orders(JdbcTemplate jdbc, Bank bank) {
            this.jdbc = jdbc;
            this.bank = bank;
        }

        @PostMapping("/orders")
        @Idempotent
        @Transactional
        public String order(@RequestBody String item) {
            insert(item);
            return "ordered";
        }

        @PostMapping("/charges")
        @Idempotent(mode = Idempotent.Mode.LEASED_RESUME)
        public String charge(@RequestBody String item) {
            return bank.charge(CurrentClaim.get().orElseThrow().derivedKey("charge"));
        }

        @PostMapping("/unprotected")
        @Transactional
        public String orderUnprotected(@RequestBody String item) {
            bank.charge(UUID.randomUUID().toString());
            insert(item);
            return "ordered";
        }

        private void insert(String item) {
            jdbc.update("INSERT INTO orders VALUES (?)", item);
        }
    }

    static class Ledger {
        private final JdbcTemplate jdbc;

        Ledger(JdbcTemplate jdbc) {
            this.jdbc = jdbc;
        }

        @Idempotent(operation = "ledger", key = "#item")
        @Transactional
        public String enter(String item) {
            jdbc.update("INSERT INTO orders VALUES (?)", item);
            return "entered";
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import({Orders.class, Ledger.class})
    static class Shop {
        /** The bank of production, which a test replaces. */
        @Bean
        Bank bank() {
            return key -> {
                throw new IllegalStateException("no network");
            };
        }
    }

    /** A pool that is started when it is made, as applications with a DataSource of their own often have it. */
    @Configuration(proxyBeanMethods = false)
    static class OwnPool {
        @Bean
        DataSource ownPool(Environment environment) {
            var config = new HikariConfig();
            config.setJdbcUrl(environment.getRequiredProperty("spring.datasource.url"));
            return new HikariDataSource(config);
        }
    }

    private static class ShopTrial implements InProcessTrial {
        final FakeBank bank = new FakeBank();
        final String key = UUID.randomUUID().toString();
        private final String path;

        ShopTrial(String path) {
            this.path = path;
        }

        CrashableSpringApplication.Builder shop(CrashInjector injector) {
            return CrashableSpringApplication.of(Shop.class)
                    .properties(
                            "spring.datasource.url=" + url,
                            "refrain.scope=shared",
                            "refrain.http.lease=1s",
                            "springdoc.api-docs.enabled=false",
                            "logging.level.root=off")
                    .bean(Bank.class, key -> injector.foreignCall("charge", () -> bank.charge(key)));
        }

        Function<URI, HttpRequest> request() {
            return base -> HttpRequest.newBuilder(base.resolve(path))
                    .header("Idempotency-Key", '"' + key + '"')
                    .POST(HttpRequest.BodyPublishers.ofString(key))
                    .build();
        }

        @Override
        public CrashableApplication start(CrashInjector injector) {
            return shop(injector).request(request()).start(injector);
        }

        long orders() throws SQLException {
            try (var connection = DriverManager.getConnection(url);
                    var statement = connection.prepareStatement("SELECT count(*) FROM orders WHERE item = ?")) {
                statement.setString(1, key);
                try (var result = statement.executeQuery()) {
                    result.next();
                    return result.getLong(1);
                }
            }
        }

        @Override
        public void check(EffectChecks checks) throws Exception {
            checks.once("order", orders());
        }
    }

    @Test
    void transactionalHandlerSurvivesEveryCrash() throws Exception {
        var report =
                CrashMatrix.of(() -> new ShopTrial("/orders")).concurrency(2).run();

        report.assertSurvived();
        assertThat(report.rows())
                .extracting(CrashResult::boundary)
                .contains("before INSERT INTO orders VALUES (?)", "after INSERT INTO orders VALUES (?)")
                .anyMatch(point -> point.matches("before COMMIT of .*INSERT orders.*"))
                .anyMatch(point -> point.matches("after COMMIT of .*INSERT orders.*"));
    }

    private static final class ChargeTrial extends ShopTrial {
        ChargeTrial() {
            super("/charges");
        }

        @Override
        public void check(EffectChecks checks) {
            checks.once("charge", bank.charges.get());
        }
    }

    @Test
    void leasedHandlerChargesOnceUnderItsDerivedKeyWhereverItCrashes() throws Exception {
        var report = CrashMatrix.of(ChargeTrial::new).concurrency(2).run();

        report.assertSurvived();
        assertThat(report.rows())
                .extracting(CrashResult::boundary)
                .contains("before sending charge", "after the reply of charge");
    }

    private static final class UnprotectedTrial extends ShopTrial {
        UnprotectedTrial() {
            super("/unprotected");
        }

        @Override
        public void check(EffectChecks checks) throws Exception {
            checks.once("order", orders());
            checks.once("charge", bank.charges.get());
        }
    }

    @Test
    void unprotectedHandlerIsReportedWhereItDoubles() throws Exception {
        var report = CrashMatrix.of(UnprotectedTrial::new).concurrency(2).run();

        assertThat(report.failures().stream()
                        .collect(Collectors.toMap(CrashResult::boundary, row -> String.join("; ", row.findings()))))
                .containsExactlyInAnyOrderEntriesOf(Map.of(
                        "after the reply of charge", "charge doubled: 2 instead of 1",
                        "before INSERT INTO orders VALUES (?)", "charge doubled: 2 instead of 1",
                        "after INSERT INTO orders VALUES (?)", "charge doubled: 2 instead of 1",
                        "before COMMIT of INSERT orders", "charge doubled: 2 instead of 1",
                        "after COMMIT of INSERT orders",
                                "order doubled: 2 instead of 1; charge doubled: 2 instead of 1"));
    }
}
