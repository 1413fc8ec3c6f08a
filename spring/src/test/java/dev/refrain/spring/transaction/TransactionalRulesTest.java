package dev.refrain.spring.transaction;

import static dev.refrain.http.cases.RawHttpRequest.post;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.refrain.http.OperationMode;
import dev.refrain.http.Route;
import dev.refrain.http.RoutePolicy;
import dev.refrain.http.cases.RawHttpConnection;
import dev.refrain.http.cases.RawHttpResponse;
import dev.refrain.servers.PostgresServer;
import dev.refrain.spring.Idempotent;
import dev.refrain.spring.ServerPort;
import java.io.IOException;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.ResponseEntity;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Service;
import org.springframework.transaction.IllegalTransactionStateException;
import org.springframework.transaction.annotation.Isolation;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionTemplate;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

/** Propagation and rollback rules of {@code @Transactional}: each is followed, or refused at start. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class TransactionalRulesTest {

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {}

    private static final String DATABASE = PostgresServer.shared().freshDatabase();

    static final class NoFunds extends Exception {
        private static final long serialVersionUID = 1L;
    }

    /** What is followed, in handlers. */
    @RestController
    static class Desk {
        private final JdbcTemplate jdbc;

        Desk(JdbcTemplate jdbc) {
            this.jdbc = jdbc;
        }

        private String write(String row) {
            jdbc.update("INSERT INTO written VALUES (?)", row);
            return row;
        }

        @PostMapping("/supports")
        @Idempotent
        @Transactional(propagation = Propagation.SUPPORTS)
        String supports() {
            return write("/supports");
        }

        @PostMapping("/mandatory")
        @Idempotent
        @Transactional(propagation = Propagation.MANDATORY)
        String mandatory() {
            return write("/mandatory");
        }

        @PostMapping("/nested")
        @Idempotent
        @Transactional(propagation = Propagation.NESTED)
        String nested() {
            return write("/nested");
        }

        @PostMapping("/checked")
        @Idempotent
        @Transactional(rollbackFor = NoFunds.class)
        String checked() throws NoFunds {
            write("/checked");
            throw new NoFunds();
        }

        @ExceptionHandler(NoFunds.class)
        ResponseEntity<String> poor() {
            return ResponseEntity.status(422).body("no funds");
        }
    }

    /** What is followed, in methods of other beans. */
    @Service
    static class Bank {
        private final JdbcTemplate jdbc;

        Bank(JdbcTemplate jdbc) {
            this.jdbc = jdbc;
        }

        @Idempotent(key = "#row")
        @Transactional(propagation = Propagation.SUPPORTS)
        public int supports(String row) {
            return write(row);
        }

        @Idempotent(key = "#row")
        @Transactional(propagation = Propagation.NESTED)
        public int nested(String row) {
            return write(row);
        }

        @Idempotent(key = "#row")
        @Transactional(propagation = Propagation.MANDATORY)
        public int mandatory(String row) {
            return write(row);
        }

        @Idempotent(key = "#row")
        @Transactional(rollbackFor = NoFunds.class)
        public int checked(String row) throws NoFunds {
            write(row);
            throw new NoFunds();
        }

        private int write(String row) {
            return jdbc.update("INSERT INTO written VALUES (?)", row);
        }
    }

    private ConfigurableApplicationContext context;
    private JdbcTemplate jdbc;
    private Bank bank;

    @BeforeAll
    void start() {
        context = new SpringApplicationBuilder(Application.class, Desk.class, Bank.class)
                .web(WebApplicationType.SERVLET)
                .run(
                        "--spring.datasource.url=" + DATABASE,
                        "--refrain.scope=shared",
                        "--server.port=0",
                        "--spring.main.banner-mode=off",
                        "--logging.level.root=off");
        jdbc = context.getBean(JdbcTemplate.class);
        jdbc.execute("CREATE TABLE written (row text)");
        bank = context.getBean(Bank.class);
    }

    @AfterAll
    void stop() {
        context.close();
    }

    private RawHttpResponse send(String path, String key) throws IOException {
        int port = ServerPort.of(context);
        try (var wire = new RawHttpConnection(port)) {
            wire.send(post(path).key(key).json("{}"));
            return wire.receive();
        }
    }

    private int written(String row) {
        return jdbc.queryForObject("SELECT count(*) FROM written WHERE row = ?", Integer.class, row);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/supports", "/mandatory", "/nested"})
    void handlerJoinsTheTransactionOfItsKey(String path) throws Exception {
        String key = UUID.randomUUID().toString();

        assertThat(send(path, key).status()).isEqualTo(200);
        assertThat(send(path, key).replayed()).isTrue();
        assertThat(written(path)).isEqualTo(1);
    }

    @Test
    void handlerIsRolledBackAsItsRuleSays() throws Exception {
        String key = UUID.randomUUID().toString();

        assertThat(send("/checked", key).status()).isEqualTo(422);
        var again = send("/checked", key);

        assertThat(again.replayed()).isTrue();
        assertThat(again.body()).isEqualTo("no funds");
        assertThat(written("/checked")).isZero();
    }

    @Test
    void methodJoinsTheTransactionOfItsKey() {
        for (int i = 0; i < 2; i++) {
            assertThat(bank.supports("supports")).isEqualTo(1);
            assertThat(bank.nested("nested")).isEqualTo(1);
            assertThat(context.getBean(TransactionTemplate.class).<Integer>execute(open -> bank.mandatory("mandatory")))
                    .isEqualTo(1);
        }
        assertThat(Stream.of("supports", "nested", "mandatory").map(this::written))
                .containsOnly(1);
    }

    @Test
    void mandatoryMethodFailsOutsideOfTransactions() {
        assertThatThrownBy(() -> bank.mandatory("outside")).isInstanceOf(IllegalTransactionStateException.class);
        assertThat(written("outside")).isZero();
    }

    @Test
    void methodIsRolledBackAsItsRuleSays() {
        assertThatThrownBy(() -> bank.checked("thrown")).isInstanceOf(NoFunds.class);
        assertThat(written("thrown")).isZero();
    }

    /** What is refused, in handlers; each also as a handler behind a route. */
    static class Refused {

        @RestController
        static class RequiresNew {
            @PostMapping("/refused")
            @Idempotent
            @Transactional(propagation = Propagation.REQUIRES_NEW)
            String handle() {
                return "";
            }
        }

        @RestController
        static class NotSupported {
            @PostMapping("/refused")
            @Idempotent
            @Transactional(propagation = Propagation.NOT_SUPPORTED)
            String handle() {
                return "";
            }
        }

        @RestController
        static class Never {
            @PostMapping("/refused")
            @Idempotent
            @Transactional(propagation = Propagation.NEVER)
            String handle() {
                return "";
            }
        }

        @RestController
        static class ReadOnly {
            @PostMapping("/refused")
            @Idempotent
            @Transactional(readOnly = true)
            String handle() {
                return "";
            }
        }

        @RestController
        static class Qualified {
            @PostMapping("/refused")
            @Idempotent
            @Transactional("ledger")
            String handle() {
                return "";
            }
        }

        @RestController
        static class NoRollback {
            @PostMapping("/refused")
            @Idempotent
            @Transactional(noRollbackFor = IllegalStateException.class)
            String handle() {
                return "";
            }
        }

        @RestController
        static class Declared {
            @PostMapping("/refused")
            @Idempotent
            @Transactional
            String handle() throws IOException {
                return "";
            }
        }
    }

    /** The same without the annotation, behind a transactional route. */
    static class RefusedBehindRoute {

        @RestController
        static class RoutedRequiresNew {
            @PostMapping("/refused")
            @Transactional(propagation = Propagation.REQUIRES_NEW)
            String handle() {
                return "";
            }
        }

        @RestController
        static class RoutedNoRollback {
            @PostMapping("/refused")
            @Transactional(noRollbackFor = IllegalStateException.class)
            String handle() {
                return "";
            }
        }

        @RestController
        static class RoutedIsolation {
            @PostMapping("/refused")
            @Transactional(isolation = Isolation.SERIALIZABLE)
            String handle() {
                return "";
            }
        }
    }

    /** And in methods of other beans. */
    static class RefusedMethods {

        static class MethodRequiresNew {
            @Idempotent(key = "#id")
            @Transactional(propagation = Propagation.REQUIRES_NEW)
            public String run(String id) {
                return id;
            }
        }

        static class MethodNotSupported {
            @Idempotent(key = "#id")
            @Transactional(propagation = Propagation.NOT_SUPPORTED)
            public String run(String id) {
                return id;
            }
        }

        static class MethodNever {
            @Idempotent(key = "#id")
            @Transactional(propagation = Propagation.NEVER)
            public String run(String id) {
                return id;
            }
        }

        static class MethodQualified {
            @Idempotent(key = "#id")
            @Transactional("ledger")
            public String run(String id) {
                return id;
            }
        }
    }

    static class DeclaredRoute {
        @Bean
        Route route() {
            return Route.of("POST /refused", RoutePolicy.of(OperationMode.transactional()));
        }
    }

    static Stream<Class<?>> refused() {
        return Stream.of(Refused.class, RefusedBehindRoute.class, RefusedMethods.class)
                .flatMap(kind -> Stream.of(kind.getDeclaredClasses()));
    }

    @ParameterizedTest
    @MethodSource
    void refused(Class<?> part) {
        boolean behindRoute = part.getEnclosingClass() == RefusedBehindRoute.class;
        new WebApplicationContextRunner()
                .withUserConfiguration(Application.class, part)
                .withUserConfiguration(behindRoute ? new Class<?>[] {DeclaredRoute.class} : new Class<?>[0])
                .withPropertyValues(
                        "spring.datasource.url=" + DATABASE,
                        "refrain.scope=shared",
                        "spring.datasource.hikari.minimum-idle=0")
                .run(started -> assertThat(started)
                        .getFailure()
                        .hasMessageContaining(part.getSimpleName() + ".")
                        .hasMessageContaining(sentence(part)));
    }

    private static String sentence(Class<?> part) {
        String name = part.getSimpleName().replaceAll("^(Routed|Method)", "");
        return switch (name) {
            case "RequiresNew" -> "propagation REQUIRES_NEW";
            case "NotSupported" -> "propagation NOT_SUPPORTED";
            case "Never" -> "propagation NEVER";
            case "ReadOnly" -> "read-only";
            case "Qualified" -> "the manager ledger";
            case "NoRollback" -> "noRollbackFor";
            case "Declared" -> "rollbackFor = IOException.class";
            case "Isolation" -> "Annotate the handler with @Idempotent";
            default -> throw new IllegalArgumentException(name);
        };
    }
}
