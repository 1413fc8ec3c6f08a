package dev.refrain.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.refrain.api.CurrentClaim;
import dev.refrain.crash.CrashInjector;
import dev.refrain.crash.CrashMatrix;
import dev.refrain.crash.CrashReport;
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
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.IntPredicate;
import java.util.stream.Collectors;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.boot.SpringBootVersion;
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

    /** Every crash point on Spring Boot 4 by {@code -Plong}; a quarter of them in each build, and on Spring Boot 3.5. */
    private static final boolean EVERY_POINT = Boolean.getBoolean("tests.long")
            && !String.valueOf(SpringBootVersion.getVersion()).startsWith("3.");

    private static final IntPredicate POINTS = number -> EVERY_POINT || number % 4 == 3;

    /** Beginnings of the names of threads that belong to an instance. */
    private static final List<String> THREADS =
            List.of("refrain-", "Hikari", "http-nio", "Catalina", "container-", "HttpClient", "request", "funeral");

    /** Also where a machine has much else to do. */
    private static final Duration SHUTDOWN = Duration.ofSeconds(30);

    private static String url = "";

    @BeforeAll
    static void createTables() throws SQLException {
        url = PostgresServer.shared().freshDatabase();
        try (var connection = DriverManager.getConnection(url);
                var statement = connection.createStatement()) {
            // Nothing is unique, so that a second effect is seen and not refused.
            statement.execute("CREATE TABLE orders (item text)");
            statement.execute("CREATE TABLE shutdowns (path text)");
        }
    }

    /** Neither threads nor connections of an instance, killed or not, outlive the matrix. */
    @AfterEach
    void nothingIsLeft() throws Exception {
        await().atMost(SHUTDOWN)
                .untilAsserted(() -> assertThat(Thread.getAllStackTraces().keySet())
                        .extracting(Thread::getName)
                        .noneMatch(name -> THREADS.stream().anyMatch(name::startsWith)));
        await().atMost(SHUTDOWN)
                .untilAsserted(() -> assertThat(count(
                                url,
                                "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND application_name <> ?",
                                "count"))
                        .isZero());
    }

    private static long count(String database, String sql, String parameter) throws SQLException {
        String separator = database.contains("?") ? "&" : "?";
        try (var connection = DriverManager.getConnection(database + separator + "ApplicationName=count");
                var statement = connection.prepareStatement(sql)) {
            statement.setString(1, parameter);
            try (var result = statement.executeQuery()) {
                result.next();
                return result.getLong(1);
            }
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

        @PostMapping("/failing")
        public String fail() {
            throw new IllegalStateException("always");
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

    /** A bean that writes when its instance ends. */
    static class ShutdownWriter implements DisposableBean {
        private final JdbcTemplate jdbc;
        private final String path;

        ShutdownWriter(JdbcTemplate jdbc, Environment environment) {
            this.jdbc = jdbc;
            path = environment.getProperty("test.path", "");
        }

        @Override
        public void destroy() {
            jdbc.update("INSERT INTO shutdowns VALUES (?)", path);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import({Orders.class, Ledger.class, ShutdownWriter.class})
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

        CrashableSpringApplication.Builder shop(CrashInjector injector, Class<?>... more) {
            return CrashableSpringApplication.of(Shop.class, more)
                    .properties(
                            "test.path=" + path,
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
            return count(url, "SELECT count(*) FROM orders WHERE item = ?", key);
        }

        @Override
        public void check(EffectChecks checks) throws Exception {
            checks.once("order", orders());
        }
    }

    private static List<String> boundaries(CrashReport report) {
        return report.rows().stream().map(CrashResult::boundary).toList();
    }

    @Test
    void transactionalHandlerSurvivesEveryCrash() throws Exception {
        var report = CrashMatrix.of(() -> new ShopTrial("/orders"))
                .only(POINTS)
                .concurrency(2)
                .run();

        report.assertSurvived();
        // The first instance, those that recovered and those that lived on; a killed one writes nothing any more.
        assertThat(count(url, "SELECT count(*) FROM shutdowns WHERE path = ?", "/orders"))
                .isEqualTo(1
                        + report.rows().size()
                        + report.rows().stream().filter(row -> !row.reached()).count());
        if (EVERY_POINT) {
            assertThat(boundaries(report))
                    .contains("before INSERT INTO orders VALUES (?)", "after INSERT INTO orders VALUES (?)")
                    .anyMatch(point -> point.matches("before COMMIT of .*INSERT orders.*"))
                    .anyMatch(point -> point.matches("after COMMIT of .*INSERT orders.*"));
        }
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
        var report =
                CrashMatrix.of(ChargeTrial::new).only(POINTS).concurrency(2).run();

        report.assertSurvived();
        if (EVERY_POINT) {
            assertThat(boundaries(report)).contains("before sending charge", "after the reply of charge");
        }
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
        var report = CrashMatrix.of(UnprotectedTrial::new)
                .only(POINTS)
                .concurrency(2)
                .run();

        String charge = "charge doubled: 2 instead of 1";
        var expected = new HashMap<>(Map.of(
                "after the reply of charge", charge,
                "before INSERT INTO orders VALUES (?)", charge,
                "after INSERT INTO orders VALUES (?)", charge,
                "before COMMIT of INSERT orders", charge,
                "after COMMIT of INSERT orders", "order doubled: 2 instead of 1; " + charge));
        expected.keySet().retainAll(boundaries(report));
        assertThat(expected).isNotEmpty();
        assertThat(report.failures().stream()
                        .collect(Collectors.toMap(CrashResult::boundary, row -> String.join("; ", row.findings()))))
                .isEqualTo(expected);
    }

    @Test
    void callOfABeanOnAPoolOfTheApplicationSurvivesCrashes() throws Exception {
        var report = CrashMatrix.of(() -> new ShopTrial("") {
                    @Override
                    public CrashableApplication start(CrashInjector injector) {
                        return shop(injector, OwnPool.class)
                                .call(context -> context.getBean(Ledger.class).enter(key))
                                .start(injector);
                    }
                })
                .onlyNamed(point -> point.matches("(after|before) COMMIT of .*INSERT orders.*"))
                .run();

        report.assertSurvived();
        assertThat(report.rows()).hasSize(2).allMatch(CrashResult::reached);
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import(DatabaseToolsTest.JpaOrders.class)
    static class JpaShop {}

    @Test
    void jpaHandlerOnTablesOfFlywaySurvivesCrashes() throws Exception {
        String database = PostgresServer.shared().freshDatabase();
        var report = CrashMatrix.of(() -> new ShopTrial("/orders") {
                    @Override
                    public CrashableApplication start(CrashInjector injector) {
                        return CrashableSpringApplication.of(JpaShop.class)
                                .properties(
                                        "spring.datasource.url=" + database,
                                        "test.tools=flyway,hibernate,jpa",
                                        "spring.flyway.locations=classpath:db/start/flyway",
                                        "spring.jpa.open-in-view=false",
                                        "refrain.scope=shared",
                                        "springdoc.api-docs.enabled=false",
                                        "logging.level.root=off")
                                .request(request())
                                .start(injector);
                    }

                    @Override
                    long orders() throws SQLException {
                        return count(database, "SELECT count(*) FROM orders WHERE item = ?", key);
                    }
                })
                .onlyNamed(point -> point.matches("(after|before) COMMIT of .*insert orders.*"))
                .run();

        report.assertSurvived();
        assertThat(report.rows()).hasSize(2).allMatch(CrashResult::reached);
    }

    @Test
    void refusedRequestFailsTheMatrixWithItsResponse() {
        var matrix = CrashMatrix.of(() -> new ShopTrial("/refused") {
            @Override
            Function<URI, HttpRequest> request() {
                return base -> HttpRequest.newBuilder(base.resolve("/orders"))
                        .POST(HttpRequest.BodyPublishers.ofString("without a key"))
                        .build();
            }
        });

        assertThatThrownBy(matrix::run)
                .hasMessageContaining("The request was refused, without any crash: 400")
                .hasMessageContaining("key-missing");
    }

    @Test
    void requestThatIsNeverAnsweredFailsTheMatrixWithItsLastResponse() {
        var matrix = CrashMatrix.of(() -> new ShopTrial("/failing")).timeout(Duration.ofSeconds(10));

        assertThatThrownBy(matrix::run)
                .hasMessageContaining("The request did not end within 10 s")
                .hasMessageContaining("the response was 500");
    }

    @Test
    void applicationThatDoesNotStartFailsTheMatrix() {
        var matrix = CrashMatrix.of(() -> new ShopTrial("/none") {
            @Override
            public CrashableApplication start(CrashInjector injector) {
                return shop(injector)
                        .properties("refrain.http.no-such-setting=1")
                        .request(request())
                        .start(injector);
            }
        });

        assertThatThrownBy(matrix::run).hasStackTraceContaining("no-such-setting");
    }
}
