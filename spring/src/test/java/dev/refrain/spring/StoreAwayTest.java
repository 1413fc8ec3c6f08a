package dev.refrain.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.refrain.flow.Flow;
import dev.refrain.flow.FlowRunner;
import dev.refrain.flow.PhaseResult;
import dev.refrain.http.edge.RouteProtection;
import dev.refrain.servers.PostgresServer;
import dev.refrain.store.StoreException;
import java.net.http.HttpResponse;
import java.sql.Connection;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.WebApplicationType;
import org.springframework.context.annotation.Bean;
import org.springframework.http.ResponseEntity;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.stereotype.Service;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.interceptor.TransactionAspectSupport;
import org.springframework.transaction.support.TransactionTemplate;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;

/**
 * With its database gone, a service answers 503 within the patience of its operations, in every mode, and runs nothing; the pool
 * would wait for 30 seconds.
 */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class StoreAwayTest {

    private static final Duration STORE_TIMEOUT = Duration.ofSeconds(1);

    /** Of methods, which have no setting of their own. */
    private static final Duration METHOD_TIMEOUT = Duration.ofSeconds(3);

    /** Below the 30 s of the pool and the 60 s of {@code SILENCE}, after which those that wait for nothing else are answered. */
    private static final Duration NEVER = Duration.ofSeconds(25);

    private static final String SILENCE = "&socketTimeout=60&loginTimeout=60&connectTimeout=60";
    private static final AtomicInteger RUNS = new AtomicInteger();

    private static PostgresServer server;
    private static StartTestApplication mvc;
    private static StartTestApplication webFlux;
    private static SilentProxy network;
    private static StartTestApplication silenced;
    private static StartTestApplication webFluxSilenced;
    private static StartTestApplication silencedUnderOther;

    @Service
    static class Bank {
        @Idempotent(key = "'pay-' + #body")
        @Transactional
        public String pay(String body) {
            RUNS.incrementAndGet();
            return "done";
        }

        @Idempotent(key = "'remind-' + #body", mode = Idempotent.Mode.LEASED_RESUME)
        public String remind(String body) {
            RUNS.incrementAndGet();
            return "done";
        }
    }

    @RestController
    static class Modes {
        private final Bank bank;

        Modes(Bank bank) {
            this.bank = bank;
        }

        /** What a method throws to its caller is the caller's to answer. */
        @ExceptionHandler
        ResponseEntity<String> unavailable(StoreException failure) {
            return ResponseEntity.status(503).body("store-unavailable, \"retryable\":" + failure.isTransient());
        }

        @PostMapping("/transactional")
        @Idempotent
        @Transactional
        public String inTransaction(@RequestBody String body) {
            RUNS.incrementAndGet();
            return "done";
        }

        @PostMapping("/leased")
        @Idempotent(mode = Idempotent.Mode.LEASED_HOLD)
        public String leased(@RequestBody String body) {
            RUNS.incrementAndGet();
            return "done";
        }

        @PostMapping("/method-in-transaction")
        public String methodInTransaction(@RequestBody String body) {
            return bank.pay(body);
        }

        @PostMapping("/leased-method")
        public String leasedMethod(@RequestBody String body) {
            return bank.remind(body);
        }

        /** Protected by a configured route. */
        @PostMapping("/configured")
        public String configured(@RequestBody String body) {
            RUNS.incrementAndGet();
            return "done";
        }

        @PostMapping("/rolled-back")
        @Idempotent
        @Transactional
        public String rolledBack(@RequestBody String body) {
            RUNS.incrementAndGet();
            TransactionAspectSupport.currentTransactionStatus().setRollbackOnly();
            return "done";
        }
    }

    /** A manager whose transactions begin on the caller's own thread only, as those of JPA do. */
    static class OtherManager {
        @Bean
        PlatformTransactionManager transactionManager(DataSource source) {
            return new JdbcTransactionManager(source) {};
        }
    }

    static class Flows {
        @Bean
        Flow<String, String, Connection> orders(PlatformTransactionManager manager) {
            var inSpring = new TransactionTemplate(manager);
            return Flow.of("orders", String.class, String.class)
                    .namespace(RouteProtection.NAMESPACE)
                    .phase("started", (tx, at) -> {
                        RUNS.incrementAndGet();
                        if (at.request().equals("rollback")) {
                            inSpring.executeWithoutResult(TransactionStatus::setRollbackOnly);
                        }
                        return PhaseResult.finish(201, at.request());
                    })
                    .build();
        }

        @Bean
        FlowHandler handler(FlowRunner<Connection> flows, Flow<String, String, Connection> orders) {
            return new FlowHandler(flows, orders);
        }
    }

    @RestController
    record FlowHandler(FlowRunner<Connection> flows, Flow<String, String, Connection> orders) {
        @PostMapping("/flow")
        @Idempotent(mode = Idempotent.Mode.FLOW)
        public String order(@RequestBody String body) throws Exception {
            flows.runForCurrentCall(orders, body);
            return "never seen";
        }
    }

    @RestController
    static class Reactive {
        @PostMapping("/leased")
        @Idempotent(mode = Idempotent.Mode.LEASED_RESUME)
        public Mono<String> leased(@RequestBody String body) {
            RUNS.incrementAndGet();
            return Mono.just("done");
        }
    }

    @BeforeAll
    static void start() throws Exception {
        server = PostgresServer.start();
        var settings = List.of("refrain.http.store-timeout=1s", "logging.level.root=error");
        var configured = List.of(
                "refrain.http.store-timeout=1s",
                "logging.level.root=error",
                "refrain.routes.configured.match=POST /configured",
                "refrain.routes.configured.mode=leased-hold");
        mvc = StartTestApplication.start(server.freshDatabase(), configured, Modes.class, Bank.class, Flows.class);
        String url = PostgresServer.shared().freshDatabase();
        network = new SilentProxy(url);
        silenced =
                StartTestApplication.start(network.url() + SILENCE, configured, Modes.class, Bank.class, Flows.class);
        silencedUnderOther = StartTestApplication.start(
                network.url() + SILENCE, configured, Modes.class, Bank.class, Flows.class, OtherManager.class);
        webFlux = StartTestApplication.start(
                WebApplicationType.REACTIVE, server.freshDatabase(), settings, Reactive.class);
        webFluxSilenced = StartTestApplication.start(
                WebApplicationType.REACTIVE, network.url() + SILENCE, settings, Reactive.class);
    }

    @AfterAll
    static void stop() throws Exception {
        // An application that closes while its database is away waits for the timeout of its pool.
        server.restart();
        network.speak();
        silenced.close();
        silencedUnderOther.close();
        webFluxSilenced.close();
        network.close();
        webFlux.close();
        mvc.close();
        server.close();
    }

    /** It ran, and nothing of it is left: neither "not run" nor a success. */
    @Test
    @Order(1)
    void rolledBackWorkIsReportedAsRolledBack() throws Exception {
        int before = RUNS.get();
        for (int attempt = 1; attempt <= 2; attempt++) {
            var answer = mvc.post("/rolled-back", "rolled-back", "x");

            assertThat(answer.statusCode()).isEqualTo(503);
            assertThat(answer.body())
                    .contains(
                            "urn:refrain:problem:rolled-back",
                            "The request ran and was rolled back; nothing took effect.",
                            "under the same key again; this is safe",
                            "\"retryable\":true")
                    .doesNotContain("not run");
            assertThat(answer.headers().firstValue("Retry-After")).isPresent();
            assertThat(RUNS.get()).isEqualTo(before + attempt);
        }
    }

    /** Earlier phases of a flow may have taken effect: neither "not run" nor "nothing took effect". */
    @Test
    @Order(1)
    void phaseThatWasRolledBackIsReportedAsUnconfirmed() throws Exception {
        int before = RUNS.get();
        var answer = mvc.post("/flow", "rolled-back-phase", "rollback");

        assertThat(answer.statusCode()).isEqualTo(503);
        assertThat(answer.body())
                .contains("outcome-unconfirmed", "under the same key; this is safe", "\"retryable\":true");
        assertThat(RUNS.get()).isGreaterThan(before);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"/transactional", "/leased", "/flow", "/configured", "/method-in-transaction", "/leased-method"})
    @Order(2)
    void everyModeWorksWhileTheStoreIsThere(String path) throws Exception {
        for (var application : List.of(mvc, silenced, silencedUnderOther)) {
            assertThat(application
                            .post(path, "there" + path.replace('/', '-'), "there")
                            .statusCode())
                    .isIn(200, 201);
        }
    }

    @Test
    @Order(3)
    void webFluxWorksWhileTheStoreIsThere() throws Exception {
        for (var application : List.of(webFlux, webFluxSilenced)) {
            assertThat(application.post("/leased", "webflux-there", "x").statusCode())
                    .isEqualTo(200);
        }
        server.killHard();
        network.fallSilent();
    }

    private static void isUnavailable(StartTestApplication application, String path) throws Exception {
        int before = RUNS.get();
        var timeout = path.contains("method") ? METHOD_TIMEOUT : STORE_TIMEOUT;
        new RequestPatience(timeout, 1, NEVER).assertKept(path, attempt -> {
            HttpResponse<String> answer = application.post(path, "away" + path.replace('/', '-'), "x");

            assertThat(answer.statusCode()).as(answer.body()).isEqualTo(503);
            assertThat(answer.body()).contains("store-unavailable", "\"retryable\":true");
        });
        assertThat(RUNS.get()).isEqualTo(before);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"/transactional", "/leased", "/flow", "/configured", "/method-in-transaction", "/leased-method"})
    @Order(4)
    void everyModeAnswers503WithinItsPatienceWhileTheStoreIsAway(String path) throws Exception {
        isUnavailable(mvc, path);
    }

    /** Connections are accepted, and nothing is ever heard on them; the pool validates each that it has for 5 s. */
    @ParameterizedTest
    @ValueSource(
            strings = {"/transactional", "/leased", "/flow", "/configured", "/method-in-transaction", "/leased-method"})
    @Order(4)
    void everyModeAnswers503WithinItsPatienceWhileTheStoreIsSilent(String path) throws Exception {
        isUnavailable(silenced, path);
        isUnavailable(silencedUnderOther, path);
    }

    @Test
    @Order(5)
    void webFluxAnswers503WithinItsPatienceWhileTheStoreIsAway() throws Exception {
        isUnavailable(webFlux, "/leased");
    }

    @Test
    @Order(5)
    void webFluxAnswers503WithinItsPatienceWhileTheStoreIsSilent() throws Exception {
        isUnavailable(webFluxSilenced, "/leased");
    }
}
