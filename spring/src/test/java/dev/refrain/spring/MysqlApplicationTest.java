package dev.refrain.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.refrain.servers.MariadbServer;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.http.HttpStatus;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** A Spring service on MariaDB, in Spring's own transactions. */
@EnabledIfSystemProperty(named = "tests.stores", matches = "true", disabledReason = "needs MariaDB: -Pstores")
class MysqlApplicationTest {

    private static String url;
    private static StartTestApplication service;

    @RestController
    static class Payments {
        private final JdbcTemplate jdbc;
        private final AtomicBoolean failed = new AtomicBoolean();

        Payments(JdbcTemplate jdbc) {
            this.jdbc = jdbc;
            jdbc.execute("CREATE TABLE payment (what VARCHAR(100))");
        }

        @PostMapping("/transactional")
        @ResponseStatus(HttpStatus.CREATED)
        @Idempotent
        @Transactional
        public String pay(@RequestBody String what) {
            return insert(what);
        }

        @PostMapping("/leased")
        @ResponseStatus(HttpStatus.CREATED)
        @Idempotent(mode = Idempotent.Mode.LEASED_RESUME)
        public String payElsewhere(@RequestBody String what) {
            return insert(what);
        }

        @PostMapping("/failing")
        @Idempotent(profile = Idempotent.Profile.STRIPE)
        @Transactional
        public String fail(@RequestBody String what) {
            insert(what);
            throw new IllegalStateException("after the payment");
        }

        @PostMapping("/failing-once")
        @Idempotent
        @Transactional
        public String failOnce(@RequestBody String what) {
            insert(what);
            if (!failed.getAndSet(true)) {
                throw new IllegalStateException("after the payment");
            }
            return "paid";
        }

        private String insert(String what) {
            jdbc.update("INSERT INTO payment VALUES (?)", what);
            return "paid at " + System.nanoTime();
        }
    }

    @BeforeAll
    static void start() {
        url = MariadbServer.shared().freshDatabase();
        service = StartTestApplication.start(url, List.of("logging.level.root=off"), Payments.class);
    }

    @AfterAll
    static void stop() {
        service.close();
    }

    private static int payments(String what) {
        return service.context()
                .getBean(JdbcTemplate.class)
                .queryForObject("SELECT count(*) FROM payment WHERE what = ?", Integer.class, what);
    }

    /** Whatever a transaction came to, its manager has given the connection to the next one: it must hold no key's lock. */
    private static void assertNoKeyIsLocked() {
        var jdbc = service.context().getBean(JdbcTemplate.class);
        assertThat(jdbc.queryForObject("SELECT count(*) FROM refrain_record", Integer.class))
                .isPositive();
        assertThat(jdbc.queryForObject(
                        "SELECT count(*) FROM refrain_record WHERE IS_USED_LOCK("
                                + "CONCAT('refrain.', LEFT(MD5(DATABASE()), 8), '.', HEX(lookup))) IS NOT NULL",
                        Integer.class))
                .isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"/transactional", "/leased"})
    void retryIsAnsweredAsTheFirstRequestWas(String path) throws Exception {
        var first = service.post(path, path + "-key", path);
        var again = service.post(path, path + "-key", path);

        assertThat(first.statusCode()).isEqualTo(201);
        assertThat(again.body()).isEqualTo(first.body()).startsWith("paid at");
        assertThat(again.headers().firstValue("Idempotent-Replayed")).contains("true");
        assertThat(service.post(path, path + "-key", "another").statusCode()).isEqualTo(422);
        assertThat(payments(path)).isEqualTo(1);
        assertNoKeyIsLocked();
    }

    @Test
    void failureThatIsKeptRollsItsWorkBackAndIsReplayed() throws Exception {
        assertThat(service.post("/failing", "failing-key", "failing").statusCode())
                .isEqualTo(500);
        var again = service.post("/failing", "failing-key", "failing");

        assertThat(again.statusCode()).isEqualTo(500);
        assertThat(again.headers().firstValue("Idempotent-Replayed")).contains("true");
        assertThat(payments("failing")).isZero();
        assertNoKeyIsLocked();
    }

    /** A lock that the first request left behind would still be held after the second one: a session counts how often it took it. */
    @Test
    void requestThatWasRolledBackRunsAgainAndLeavesNoLock() throws Exception {
        assertThat(service.post("/failing-once", "once", "once").statusCode()).isEqualTo(500);
        assertThat(payments("once")).isZero();
        assertThat(service.post("/failing-once", "once", "once").statusCode()).isEqualTo(200);
        assertThat(payments("once")).isEqualTo(1);
        assertNoKeyIsLocked();
    }

    @Test
    void schemaOfTheStoreIsRefusedAtStart() {
        assertThatThrownBy(() -> StartTestApplication.start(
                        MariadbServer.shared().freshDatabase(),
                        List.of("logging.level.root=off", "refrain.store.schema=shop"),
                        Payments.class))
                .hasStackTraceContaining("name the database in the JDBC URL");
    }
}
