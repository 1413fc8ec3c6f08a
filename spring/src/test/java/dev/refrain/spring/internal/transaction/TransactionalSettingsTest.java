package dev.refrain.spring.internal.transaction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.refrain.servers.PostgresServer;
import dev.refrain.spring.Idempotent;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Isolation;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

/** What {@code @Transactional} says of a method holds for the transaction that the method shares with its key. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class TransactionalSettingsTest {

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import(Rota.class)
    static class Application {}

    /** Two doctors are on call, and each may go if the other stays. */
    @Service
    static class Rota {
        private final JdbcTemplate jdbc;
        private volatile CyclicBarrier allHaveLooked = new CyclicBarrier(1);

        Rota(JdbcTemplate jdbc) {
            this.jdbc = jdbc;
        }

        public void waitUntilAllHaveLooked(int doctors) {
            allHaveLooked = new CyclicBarrier(doctors);
        }

        @Idempotent(key = "#night + #doctor")
        @Transactional(isolation = Isolation.SERIALIZABLE)
        public String goOffCall(String night, String doctor) {
            return leave(doctor);
        }

        @Idempotent(key = "#id")
        @Transactional(isolation = Isolation.REPEATABLE_READ)
        public String isolation(String id) {
            return jdbc.queryForObject("SHOW transaction_isolation", String.class);
        }

        @Idempotent(key = "#id")
        @Transactional
        public String byDefault(String id) {
            return jdbc.queryForObject("SHOW transaction_isolation", String.class);
        }

        @Idempotent(key = "#id")
        @Transactional(timeout = 1)
        public String slow(String id) {
            jdbc.update("UPDATE doctor SET on_call = false");
            jdbc.execute("SELECT pg_sleep(30)");
            return "never";
        }

        private String leave(String doctor) {
            int on = jdbc.queryForObject("SELECT count(*) FROM doctor WHERE on_call", Integer.class);
            try {
                allHaveLooked.await(1, TimeUnit.MINUTES);
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
            if (on > 1) {
                jdbc.update("UPDATE doctor SET on_call = false WHERE name = ?", doctor);
            }
            return doctor;
        }
    }

    private ConfigurableApplicationContext context;
    private JdbcTemplate jdbc;
    private Rota rota;

    @BeforeAll
    void start() {
        context = start(Application.class);
        jdbc = context.getBean(JdbcTemplate.class);
        jdbc.execute("CREATE TABLE doctor (name text PRIMARY KEY, on_call boolean)");
        rota = context.getBean(Rota.class);
    }

    @AfterAll
    void stop() {
        context.close();
    }

    @BeforeEach
    void everybodyIsOnCall() {
        jdbc.execute("TRUNCATE doctor; INSERT INTO doctor VALUES ('Ada', true), ('Bob', true)");
        rota.waitUntilAllHaveLooked(1);
    }

    private static ConfigurableApplicationContext start(Class<?>... parts) {
        return new SpringApplicationBuilder(parts)
                .web(WebApplicationType.NONE)
                .run(
                        "--spring.datasource.url=" + PostgresServer.shared().freshDatabase(),
                        "--spring.main.banner-mode=off",
                        "--logging.level.root=off");
    }

    @Test
    void serializableTransactionsAllowNoWriteSkew() throws Exception {
        bothGoOffCall("Monday");
    }

    private void bothGoOffCall(String night) throws Exception {
        rota.waitUntilAllHaveLooked(2);
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var calls = List.<Callable<String>>of(
                            () -> rota.goOffCall(night, "Ada"), () -> rota.goOffCall(night, "Bob"))
                    .stream()
                    .map(threads::submit)
                    .toList();
            int failed = 0;
            for (var call : calls) {
                try {
                    call.get();
                } catch (ExecutionException serializationFailure) {
                    failed++;
                }
            }
            assertThat(failed).isEqualTo(1);
        }
        assertThat(jdbc.queryForObject("SELECT count(*) FROM doctor WHERE on_call", Integer.class))
                .isEqualTo(1);
    }

    @Test
    void callThatLostTheRaceCanBeRetriedUnderItsKey() throws Exception {
        bothGoOffCall("Tuesday");
        rota.waitUntilAllHaveLooked(1);
        assertThat(rota.goOffCall("Tuesday", "Ada")).isEqualTo("Ada");
        assertThat(rota.goOffCall("Tuesday", "Bob")).isEqualTo("Bob");
        assertThat(jdbc.queryForObject("SELECT count(*) FROM doctor WHERE on_call", Integer.class))
                .isEqualTo(1);
    }

    @Test
    void isolationIsThatOfTheAnnotation() {
        assertThat(rota.isolation("i-1")).isEqualTo("repeatable read");
        assertThat(rota.byDefault("i-2")).isEqualTo("read committed");
    }

    @Test
    void timeoutEndsTheStatementAndRollsBack() {
        assertThatThrownBy(() -> rota.slow("t-1")).isInstanceOf(Exception.class);
        assertThat(jdbc.queryForObject("SELECT count(*) FROM doctor WHERE on_call", Integer.class))
                .isEqualTo(2);
    }

    @RestController
    static class Desk {
        private final JdbcTemplate jdbc;

        Desk(JdbcTemplate jdbc) {
            this.jdbc = jdbc;
        }

        @PostMapping("/isolation")
        @Idempotent
        @Transactional(isolation = Isolation.SERIALIZABLE, timeout = 7)
        String isolation(@RequestBody String body) {
            return jdbc.queryForObject("SHOW transaction_isolation", String.class);
        }

        @PostMapping("/slow")
        @Idempotent
        @Transactional(timeout = 1)
        String slow(@RequestBody String body) {
            jdbc.execute("CREATE TABLE rolled_back (id text)");
            jdbc.execute("SELECT pg_sleep(60)");
            return "never";
        }
    }

    @Test
    void handlersRunWithTheSettingsOfTheirAnnotation() throws Exception {
        try (var web = new SpringApplicationBuilder(Empty.class, Desk.class)
                        .web(WebApplicationType.SERVLET)
                        .run(
                                "--spring.datasource.url="
                                        + PostgresServer.shared().freshDatabase(),
                                "--refrain.scope=shared",
                                "--server.port=0",
                                "--spring.main.banner-mode=off",
                                "--logging.level.root=off");
                var client = HttpClient.newHttpClient()) {
            var request = HttpRequest.newBuilder(URI.create(
                            "http://localhost:" + web.getEnvironment().getProperty("local.server.port") + "/isolation"))
                    .header("Idempotency-Key", "k-1")
                    .header("Content-Type", "text/plain")
                    .POST(HttpRequest.BodyPublishers.ofString("x"))
                    .build();
            var first = client.send(request, HttpResponse.BodyHandlers.ofString());
            var again = client.send(request, HttpResponse.BodyHandlers.ofString());
            assertThat(first.body()).isEqualTo("serializable");
            assertThat(again.body()).isEqualTo("serializable");
            assertThat(again.headers().firstValue("Idempotent-Replayed")).contains("true");

            long began = System.nanoTime();
            var slow = HttpRequest.newBuilder(request, (name, value) -> true)
                    .uri(request.uri().resolve("/slow"))
                    .setHeader("Idempotency-Key", "k-2")
                    .build();
            assertThat(client.send(slow, HttpResponse.BodyHandlers.ofString()).statusCode())
                    .isEqualTo(500);
            assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(30));
            assertThat(web.getBean(JdbcTemplate.class)
                            .queryForObject("SELECT to_regclass('rolled_back') IS NULL", Boolean.class))
                    .isTrue();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Empty {}

    static class ReadOnly {
        @Idempotent(key = "#id")
        @Transactional(readOnly = true)
        public String read(String id) {
            return id;
        }
    }

    static class Committing {
        @Idempotent(key = "#id")
        @Transactional(noRollbackFor = IllegalStateException.class)
        public String commits(String id) {
            return id;
        }
    }

    static class Checked {
        @Idempotent(key = "#id")
        @Transactional
        public String declares(String id) throws IOException {
            return id;
        }
    }

    static class Covered {
        @Idempotent(key = "#id")
        @Transactional(rollbackFor = Exception.class)
        public String declares(String id) throws IOException {
            return id;
        }
    }

    static class JakartaCommitting {
        @Idempotent(key = "#id")
        @jakarta.transaction.Transactional(dontRollbackOn = IllegalStateException.class)
        public String commits(String id) {
            return id;
        }
    }

    static class JakartaApart {
        @Idempotent(key = "#id")
        @jakarta.transaction.Transactional(jakarta.transaction.Transactional.TxType.REQUIRES_NEW)
        public String apart(String id) {
            return id;
        }
    }

    @Test
    void settingsOfJakartaThatCannotBeFollowedAreRejectedAtStartup() {
        assertThatThrownBy(() -> start(Empty.class, JakartaCommitting.class))
                .hasMessageContaining("JakartaCommitting.commits")
                .hasMessageContaining("noRollbackFor");
        assertThatThrownBy(() -> start(Empty.class, JakartaApart.class)).hasMessageContaining("JakartaApart.apart");
    }

    @Test
    void settingsThatCannotBeFollowedAreRejectedAtStartup() {
        assertThatThrownBy(() -> start(Empty.class, ReadOnly.class))
                .hasMessageContaining("ReadOnly.read")
                .hasMessageContaining("read-only");
        assertThatThrownBy(() -> start(Empty.class, Committing.class))
                .hasMessageContaining("Committing.commits")
                .hasMessageContaining("noRollbackFor");
        assertThatThrownBy(() -> start(Empty.class, Checked.class))
                .hasMessageContaining("rollbackFor = IOException.class");
        start(Empty.class, Covered.class).close();
    }
}
