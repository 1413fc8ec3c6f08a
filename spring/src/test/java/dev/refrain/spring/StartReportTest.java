package dev.refrain.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.HotSpotDiagnosticMXBean;
import dev.refrain.Refrain;
import dev.refrain.flow.Flow;
import dev.refrain.flow.PhaseResult;
import dev.refrain.outbox.jobs.KeyedJob;
import dev.refrain.outbox.jobs.KeyedJobQueue;
import dev.refrain.servers.PostgresServer;
import dev.refrain.servers.RedisServer;
import dev.refrain.store.jdbc.JdbcStore;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.ds.PGSimpleDataSource;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

/** A start that fails says why and what to do, and leaves nothing behind; one that succeeds says what is protected. */
@ExtendWith(OutputCaptureExtension.class)
class StartReportTest {

    /** Others are of the JVM, of the test and of the PostgreSQL driver, and outlive any application. */
    private static final Pattern OURS = Pattern.compile("(?i).*(refrain|hikari|lettuce).*");

    private static String url;

    @TempDir
    static Path directory;

    @RestController
    static class Unsaid {
        @PostMapping("/payments")
        @Idempotent
        String create() {
            return "";
        }
    }

    @RestController
    static class Payments {
        private final JdbcTemplate jdbc;

        Payments(JdbcTemplate jdbc) {
            this.jdbc = jdbc;
        }

        @PostMapping("/payments")
        @Idempotent
        @Transactional
        public String create(@RequestBody String body) {
            return jdbc.queryForObject("SELECT 'paid'", String.class);
        }

        @PostMapping("/charges")
        @Idempotent(mode = Idempotent.Mode.LEASED_RESUME)
        public String charge(@RequestBody String body) {
            return jdbc.queryForObject("SELECT 'charged'", String.class);
        }
    }

    /** Fails when everything else is there. */
    static class Failing {
        static final Set<String> RUNNING = ConcurrentHashMap.newKeySet();

        @Bean
        Object failing(Refrain refrain) throws IOException {
            RUNNING.addAll(threads());
            throw new IllegalStateException("It does not start, and " + refrain + " was there.");
        }
    }

    @Service
    static class Shipping {
        @Idempotent(key = "#order", mode = Idempotent.Mode.LEASED_HOLD)
        public void ship(String order) {}
    }

    @BeforeAll
    static void database() {
        url = PostgresServer.shared().freshDatabase();
    }

    private static long connections() throws SQLException {
        try (var connection =
                        DriverManager.getConnection(PostgresServer.shared().jdbcUrl());
                var statement =
                        connection.prepareStatement("SELECT count(*) FROM pg_stat_activity WHERE datname = ?")) {
            statement.setString(1, url.replaceAll(".*/([^/?]+)(\\?.*)?$", "$1"));
            try (var rows = statement.executeQuery()) {
                rows.next();
                return rows.getLong(1);
            }
        }
    }

    /** Virtual threads too. */
    private static Set<String> threads() throws IOException {
        var file = directory.resolve("threads-" + System.nanoTime() + ".txt");
        ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class)
                .dumpThreads(file.toString(), HotSpotDiagnosticMXBean.ThreadDumpFormat.TEXT_PLAIN);
        return Files.readAllLines(file).stream()
                .filter(line -> line.startsWith("#") && OURS.matcher(line).matches())
                .map(line -> line.substring(0, line.lastIndexOf('"') + 1))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    @Test
    void failedStartIsReportedInTenLinesWithoutStackTraceAndLeavesNothingBehind(CapturedOutput output)
            throws Exception {
        var before = threads();
        assertThatThrownBy(() -> StartTestApplication.start(
                        url, List.of("spring.datasource.hikari.maximum-pool-size=5"), Unsaid.class))
                .hasStackTraceContaining("Unsaid.create is @Idempotent but not @Transactional");

        String report = output.getAll();
        assertThat(report)
                .contains("APPLICATION FAILED TO START", "Description:", "Unsaid.create is", "Action:", "LEASED_RESUME")
                .doesNotContain("\tat ")
                .doesNotContain(StartTestApplication.SERVER_NOISE);
        assertThat(report.substring(report.indexOf("APPLICATION FAILED"))
                        .lines()
                        .count())
                .isLessThanOrEqualTo(12);
        Awaitility.await().untilAsserted(() -> {
            assertThat(before).containsAll(threads());
            assertThat(connections()).isZero();
        });
    }

    @Test
    void failedStartLeavesNoThreadOfARedisStoreBehind() throws Exception {
        try (var server = RedisServer.start()) {
            var before = threads();
            assertThatThrownBy(() -> StartTestApplication.start(
                            url, List.of("refrain.store.url=" + server.url()), Failing.class))
                    .hasStackTraceContaining("It does not start");

            assertThat(Failing.RUNNING).anyMatch(thread -> thread.contains("lettuce"));
            Awaitility.await().untilAsserted(() -> assertThat(before).containsAll(threads()));
        }
    }

    @Test
    void unreachableDatabaseIsReportedWithoutStackTrace(CapturedOutput output) throws Exception {
        var before = threads();
        assertThatThrownBy(() -> StartTestApplication.start(
                        "jdbc:postgresql://127.0.0.1:1/none?user=nobody",
                        List.of("spring.datasource.hikari.connection-timeout=250"),
                        Payments.class))
                .isInstanceOf(Exception.class);

        assertThat(output.getAll())
                .contains("APPLICATION FAILED TO START", "The store of the keys cannot be opened", "spring.datasource")
                .doesNotContain("\tat dev.refrain")
                .doesNotContain(StartTestApplication.SERVER_NOISE);
        Awaitility.await().untilAsserted(() -> assertThat(before).containsAll(threads()));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "refrain.http.retention=soon",
                "refrain.routes.r.match=nonsense",
                "refrain.routes.r.mode=leased",
                "refrain.scope=somebody",
                "refrain.encryption.keys=nonsense",
                "refrain.store.schema=a;b"
            })
    void wrongSettingIsReportedAloneWithoutNoiseOfTheServer(String setting, CapturedOutput output) {
        assertThatThrownBy(() -> StartTestApplication.start(url, List.of(setting), Payments.class))
                .isInstanceOf(Exception.class);

        assertThat(output.getAll())
                .contains("APPLICATION FAILED TO START", "Description:", "Action:")
                .doesNotContain("\tat ")
                .doesNotContain(StartTestApplication.SERVER_NOISE);
    }

    @Test
    void placeholderThatNothingSetsIsReportedWithItsSetting(CapturedOutput output) {
        assertThatThrownBy(() -> StartTestApplication.start(
                        url, List.of("refrain.encryption.keys=2026-11=c2VjcmV0,${NO_SUCH_KEYS}"), Payments.class))
                .isInstanceOf(Exception.class);

        assertThat(output.getAll())
                .contains(
                        "APPLICATION FAILED TO START", "refrain.encryption.keys", "${NO_SUCH_KEYS}, which nothing sets")
                .contains("Set NO_SUCH_KEYS")
                .doesNotContain("\tat ", "c2VjcmV0");
    }

    /** Not in the words of Spring Boot, which name classes. */
    @Test
    void wrongWordIsReportedWithTheRightOnes(CapturedOutput output) {
        assertThatThrownBy(
                        () -> StartTestApplication.start(url, List.of("refrain.routes.r.mode=leased"), Payments.class))
                .isInstanceOf(Exception.class);

        assertThat(output.getAll())
                .contains(
                        "refrain.routes.r.mode is 'leased', but may be transactional, leased-resume, leased-hold or flow.")
                .doesNotContain("ModeSetting");
    }

    @Test
    void missingTablesAreReportedWithTheFilesThatCreateThem(CapturedOutput output) {
        failedStart(url(), output, "refrain.store.migrate=false");
        assertThat(output.getAll()).contains("Refrain's tables are missing", "classpath:dev/refrain/db");
    }

    @Test
    void missingPrivilegesAreReportedWithTheStatementsThatGrantThem(CapturedOutput output) throws Exception {
        String owned = url();
        String role = "poor_" + Long.toHexString(System.nanoTime());
        try (var connection = DriverManager.getConnection(owned);
                var statement = connection.createStatement()) {
            statement.execute("CREATE ROLE " + role);
        }
        try {
            failedStart(owned + (owned.contains("?") ? "&" : "?") + "options=-c%20role=" + role, output);
        } finally {
            drop(owned, role);
        }
        assertThat(output.getAll()).contains("GRANT ", role);
    }

    /** It would run each request and roll it back. */
    @Test
    void userThatMayOnlyReadIsReportedWithTheGrantsThatItLacks(CapturedOutput output) throws Exception {
        String owned = url();
        var owner = new PGSimpleDataSource();
        owner.setUrl(owned);
        JdbcStore.on(owner).close();
        String role = "reader_" + Long.toHexString(System.nanoTime());
        try (var connection = DriverManager.getConnection(owned);
                var statement = connection.createStatement()) {
            statement.execute("CREATE ROLE " + role);
            statement.execute("GRANT SELECT ON ALL TABLES IN SCHEMA public TO " + role);
        }
        try {
            failedStart(owned + (owned.contains("?") ? "&" : "?") + "options=-c%20role=" + role, output);
        } finally {
            drop(owned, role);
        }
        assertThat(output.getAll()).contains("GRANT SELECT, INSERT, UPDATE, DELETE ON \"public\".refrain_record", role);
    }

    interface Cart {}

    /** A request that is an interface is written, and no completer can read it. */
    static class UnreadableFlow {
        @Bean
        Flow<Cart, String, Connection> orders() {
            return Flow.of("orders", Cart.class, String.class)
                    .phase("started", (tx, at) -> PhaseResult.finish(201, "done"))
                    .build();
        }
    }

    /** Every message of the job would become a dead letter. */
    static class UnreadableJob {
        @Bean
        RelayCustomizer jobs(Refrain refrain, JdbcStore store) {
            var jobs = KeyedJobQueue.on(refrain, store.transactions(), store.outbox());
            return relay -> jobs.registerOn(
                    relay, KeyedJob.transactional("print", Cart.class, String.class, (tx, cart) -> "done"));
        }
    }

    @ParameterizedTest
    @ValueSource(classes = {UnreadableFlow.class, UnreadableJob.class})
    void typeThatCannotBeReadBackIsReportedAtStart(Class<?> part, CapturedOutput output) {
        assertThatThrownBy(() -> StartTestApplication.start(url, List.of(), part))
                .isInstanceOf(Exception.class);
        assertThat(output.getAll())
                .contains("APPLICATION FAILED TO START", "Description:", Cart.class.getName() + " cannot be stored: ")
                .contains("Use a record", "Action:")
                .doesNotContain("\tat ")
                .doesNotContain(StartTestApplication.SERVER_NOISE);
    }

    private static void drop(String database, String role) throws SQLException {
        try (var connection = DriverManager.getConnection(database);
                var statement = connection.createStatement()) {
            statement.execute("DROP OWNED BY " + role);
            statement.execute("DROP ROLE " + role);
        }
    }

    private static String url() {
        return PostgresServer.shared().freshDatabase();
    }

    private static void failedStart(String database, CapturedOutput output, String... settings) {
        assertThatThrownBy(() -> StartTestApplication.start(database, List.of(settings), Payments.class))
                .isInstanceOf(Exception.class);
        assertThat(output.getAll())
                .contains("APPLICATION FAILED TO START", "Description:", "The store of the keys cannot", "Action:")
                .doesNotContain("\tat ")
                .doesNotContain(StartTestApplication.SERVER_NOISE);
    }

    @Test
    void goodStartSaysInOneLineWhatIsProtected(CapturedOutput output) throws Exception {
        try (var application = StartTestApplication.start(url, List.of(), Payments.class, Shipping.class)) {
            var lines = output.getAll()
                    .lines()
                    .filter(line -> line.contains("Refrain: "))
                    .toList();
            assertThat(lines).hasSize(1);
            assertThat(lines.getFirst())
                    .contains(
                            "store PostgreSQL 18",
                            "scope shared",
                            "routes POST /charges (leased, resume after a crash), POST /payments (transactional)",
                            "methods Shipping.ship",
                            "workers sweeper, reaper",
                            "Refrain holds up to 5 connections, the pool has 10, 5 are left.");
            assertThat(application.post("/payments", "a-payment", "{}").body()).isEqualTo("paid");
        }
    }
}
