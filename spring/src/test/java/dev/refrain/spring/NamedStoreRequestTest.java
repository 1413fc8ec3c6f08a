package dev.refrain.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.refrain.servers.PostgresServer;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.postgresql.ds.PGSimpleDataSource;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

/** A service with two databases, each with the keys of its own routes. */
@ExtendWith(OutputCaptureExtension.class)
class NamedStoreRequestTest {

    private static final List<String> SETTINGS =
            List.of("refrain.stores.bulk.data-source=bulkDatabase", "refrain.stores.bulk.http-namespace=bulk");

    private static String orders;
    private static String bulk;

    @BeforeAll
    static void databases() throws SQLException {
        orders = PostgresServer.shared().freshDatabase();
        bulk = PostgresServer.shared().freshDatabase();
        try (var connection = DriverManager.getConnection(bulk);
                var statement = connection.createStatement()) {
            statement.execute("CREATE TABLE row_loaded (body text)");
        }
    }

    private static long count(String url, String sql) throws SQLException {
        try (var connection = DriverManager.getConnection(url);
                var statement = connection.createStatement();
                var rows = statement.executeQuery("SELECT count(*) FROM " + sql)) {
            rows.next();
            return rows.getLong(1);
        }
    }

    /** As Spring's documentation tells: a further DataSource is no default candidate. */
    @Configuration(proxyBeanMethods = false)
    static class SecondDatabase {
        @Bean(defaultCandidate = false)
        DataSource bulkDatabase() {
            var source = new PGSimpleDataSource();
            source.setUrl(bulk);
            return source;
        }

        @Bean(defaultCandidate = false)
        PlatformTransactionManager bulkTransactions(@Qualifier("bulkDatabase") DataSource database) {
            return new JdbcTransactionManager(database);
        }
    }

    @RestController
    static class Imports {
        private final JdbcTemplate rows;

        Imports(@Qualifier("bulkDatabase") DataSource database) {
            this.rows = new JdbcTemplate(database);
        }

        @PostMapping("/imports")
        @Idempotent(store = "bulk")
        @Transactional("bulkTransactions")
        public String load(@RequestBody String body) {
            rows.update("INSERT INTO row_loaded VALUES (?)", body);
            if (body.contains("broken")) {
                throw new IllegalStateException("after the row");
            }
            return "loaded";
        }
    }

    @RestController
    static class Payments {
        @PostMapping("/payments")
        @Idempotent(mode = Idempotent.Mode.LEASED_RESUME)
        public String pay(@RequestBody String body) {
            return "paid";
        }
    }

    static final CountDownLatch RELEASED = new CountDownLatch(1);
    static final CountDownLatch RUNNING = new CountDownLatch(1);

    @RestController
    static class Reports {
        @PostMapping("/reports")
        @Idempotent(store = "bulk", mode = Idempotent.Mode.LEASED_HOLD, inFlight = "async")
        public String report(@RequestBody String body) throws InterruptedException {
            if (body.contains("slow")) {
                RUNNING.countDown();
                RELEASED.await();
            }
            return "reported";
        }
    }

    @Test
    void keyAndWorkCommitTogetherInTheDatabaseOfTheStore(CapturedOutput output) throws Exception {
        try (var application =
                StartTestApplication.start(orders, SETTINGS, SecondDatabase.class, Imports.class, Payments.class)) {
            assertThat(output.getAll().lines().filter(line -> line.contains("Refrain: ")))
                    .singleElement()
                    .asString()
                    .contains(
                            "store PostgreSQL",
                            "store bulk (PostgreSQL",
                            "POST /imports (transactional, store bulk)",
                            "POST /payments (leased, resume after a crash)",
                            "For the store bulk: Refrain holds up to 5 connections");
            assertThat(application.post("/imports", "one", "{}").body()).isEqualTo("loaded");
            var again = application.post("/imports", "one", "{}");
            assertThat(again.body()).isEqualTo("loaded");
            assertThat(again.headers().firstValue("Idempotent-Replayed")).hasValue("true");
            // Another namespace: the same key is another one there.
            assertThat(application.post("/payments", "one", "{}").body()).isEqualTo("paid");
            assertThat(application.post("/imports", "two", "{\"broken\":1}").statusCode())
                    .isEqualTo(500);

            assertThat(count(bulk, "row_loaded")).isEqualTo(1);
            assertThat(count(bulk, "refrain_record WHERE key = 'one' AND namespace = 'bulk'"))
                    .isEqualTo(1);
            assertThat(count(orders, "refrain_record WHERE key = 'one' AND namespace = 'http'"))
                    .isEqualTo(1);
            assertThat(count(orders, "refrain_record WHERE namespace = 'bulk'")).isZero();
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = WebApplicationType.class,
            names = {"SERVLET", "REACTIVE"})
    void statusOfKeyIsReadFromItsStore(WebApplicationType type) throws Exception {
        try (var application = StartTestApplication.start(
                type, orders, SETTINGS, SecondDatabase.class, Reports.class, Payments.class)) {
            String key = "report-" + type;
            assertThat(application.post("/reports", key, "{}").body()).isEqualTo("reported");
            assertThat(application.post("/payments", key, "{}").body()).isEqualTo("paid");
            assertThat(application.post("/reports", key, "{}").headers().firstValue("Idempotent-Replayed"))
                    .hasValue("true");
            assertThat(count(bulk, "refrain_record WHERE namespace = 'bulk' AND key = '" + key + "'"))
                    .isEqualTo(1);
            assertThat(count(orders, "refrain_record WHERE namespace = 'http' AND key = '" + key + "'"))
                    .isEqualTo(1);
            String encoded = java.util.Base64.getUrlEncoder()
                    .withoutPadding()
                    .encodeToString(key.getBytes(java.nio.charset.StandardCharsets.UTF_8));
            assertThat(get(application, "/refrain/status/bulk/" + encoded).body())
                    .isEqualTo("reported");
            assertThat(get(application, "/refrain/status/" + encoded).body()).isEqualTo("paid");
            assertThat(get(application, "/refrain/status/none/" + encoded).statusCode())
                    .isEqualTo(404);
        }
    }

    @Test
    void acceptedRetryIsSentToTheStatusInItsStore() throws Exception {
        try (var application =
                StartTestApplication.start(orders, SETTINGS, SecondDatabase.class, Reports.class, Payments.class)) {
            var first = CompletableFuture.supplyAsync(() -> {
                try {
                    return application.post("/reports", "slow", "{\"slow\":1}");
                } catch (Exception e) {
                    throw new IllegalStateException(e);
                }
            });
            assertThat(RUNNING.await(60, TimeUnit.SECONDS)).isTrue();
            var accepted = application.post("/reports", "slow", "{\"slow\":1}");
            assertThat(accepted.statusCode()).isEqualTo(202);
            String status = accepted.headers().firstValue("Location").orElseThrow();
            assertThat(status).startsWith("/refrain/status/bulk/");
            assertThat(get(application, status).body()).contains("running");
            RELEASED.countDown();
            assertThat(first.get().body()).isEqualTo("reported");
            assertThat(get(application, status).body()).isEqualTo("reported");
        } finally {
            RELEASED.countDown();
        }
    }

    private static HttpResponse<String> get(StartTestApplication application, String path) throws Exception {
        int port = ServerPort.of(application.context());
        return HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                                .build(),
                        HttpResponse.BodyHandlers.ofString());
    }
}
