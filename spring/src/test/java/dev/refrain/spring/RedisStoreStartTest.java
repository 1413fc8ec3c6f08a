package dev.refrain.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.refrain.Refrain;
import dev.refrain.api.LeaseExpiryPolicy;
import dev.refrain.api.Payload;
import dev.refrain.api.ScopedKey;
import dev.refrain.flow.Flow;
import dev.refrain.flow.PhaseResult;
import dev.refrain.http.OperationMode;
import dev.refrain.http.Route;
import dev.refrain.http.RoutePolicy;
import dev.refrain.servers.RedisServer;
import dev.refrain.spring.console.RefrainConsoleAutoConfiguration;
import dev.refrain.store.MissingAbilityException;
import dev.refrain.store.Store;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.util.Locale;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

/** An application with its keys in Redis: by a URL, beside a database, or by the connection factory that is there. */
class RedisStoreStartTest {

    private static RedisServer server;

    @TempDir
    static Path directory;

    private final WebApplicationContextRunner application = SqliteApplication.runner()
            .withConfiguration(AutoConfigurations.of(
                    RefrainRedisAutoConfiguration.class,
                    RefrainEncryptionAutoConfiguration.class,
                    RefrainConsoleAutoConfiguration.class));

    @BeforeAll
    static void startServer() {
        server = RedisServer.start();
    }

    @AfterAll
    static void stopServer() {
        server.close();
    }

    @Service
    static class Charges {
        @Idempotent(key = "#id", mode = Idempotent.Mode.LEASED_RESUME, operation = "charge")
        public String charge(String id) {
            return "charged";
        }
    }

    @Service
    static class Imports {
        @Idempotent(key = "#id", mode = Idempotent.Mode.LEASED_RESUME, operation = "import", store = "bulk")
        public String load(String id) {
            return "loaded";
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Database {
        @Bean
        DataSource dataSource() {
            return SqliteApplication.database(directory, "orders");
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class ConnectionFactory {
        @Bean
        LettuceConnectionFactory redisConnectionFactory() {
            var where = new RedisStandaloneConfiguration("127.0.0.1", server.port());
            where.setPassword(server.password());
            return new LettuceConnectionFactory(where);
        }
    }

    private static Throwable causeOf(WebApplicationContextRunner runner) {
        var failure = new Throwable[1];
        runner.run(context -> failure[0] = context.getStartupFailure());
        assertThat(failure[0]).as("failure of the start").isNotNull();
        for (Throwable cause = failure[0]; cause != null; cause = cause.getCause()) {
            if (cause instanceof RefrainStartException) {
                return cause;
            }
        }
        return NestedExceptionUtils.getMostSpecificCause(failure[0]);
    }

    private static String storeOf(Refrain refrain) {
        return refrain.admin().storeTraits().name();
    }

    @Test
    void keysAreInTheStoreOfTheUrlAlsoBesideADatabase() {
        application
                .withUserConfiguration(Database.class, Charges.class)
                .withPropertyValues("refrain.store.url=" + server.url() + "?key-prefix=url")
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    assertThat(storeOf(context.getBean(Refrain.class))).startsWith("Redis ");
                    assertThat(context.getBean(Charges.class).charge("key-1-of-charges"))
                            .isEqualTo("charged");
                    assertThat(context.getBean(Refrain.class)
                                    .admin()
                                    .find(new ScopedKey("", "charge", "key-1-of-charges")))
                            .isPresent();
                });
    }

    @Test
    void namedStoreOfAUrlHoldsTheKeysOfItsOperationsAlone() {
        application
                .withUserConfiguration(Database.class, Charges.class, Imports.class)
                .withPropertyValues("refrain.stores.bulk.url=" + server.url() + "?key-prefix=named")
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    var stores = context.getBean(RefrainStores.class);
                    assertThat(storeOf(stores.refrain("bulk"))).startsWith("Redis ");
                    assertThat(storeOf(context.getBean(Refrain.class))).startsWith("SQLite ");
                    assertThat(context.getBean(Imports.class).load("key-1-of-imports"))
                            .isEqualTo("loaded");
                    assertThat(stores.refrain("bulk").admin().find(new ScopedKey("", "import", "key-1-of-imports")))
                            .isPresent();
                });
    }

    @Test
    void connectionFactoryThatIsThereIsUsedWhereThereIsNoDatabase() {
        application
                .withUserConfiguration(ConnectionFactory.class, Charges.class)
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    assertThat(storeOf(context.getBean(Refrain.class))).startsWith("Redis ");
                    assertThat(context.getBean(Charges.class).charge("key-2-of-charges"))
                            .isEqualTo("charged");
                });
    }

    @Test
    void databaseGoesBeforeTheConnectionFactory() {
        application
                .withUserConfiguration(ConnectionFactory.class, Database.class, Charges.class)
                .run(context ->
                        assertThat(storeOf(context.getBean(Refrain.class))).startsWith("SQLite "));
    }

    @Test
    void keysOfTheSettingsEncryptTheStoreOfTheUrl() {
        application
                .withUserConfiguration(Charges.class)
                .withPropertyValues(
                        "refrain.store.url=" + server.url() + "?key-prefix=secret",
                        "refrain.encryption.keys=k1=" + "A".repeat(43) + "=")
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    context.getBean(Charges.class).charge("key-3-of-charges");
                    var refrain = context.getBean(Refrain.class);
                    assertThat(refrain.admin().storeTraits().encrypted()).isTrue();
                    var stored = context.getBean(Store.class)
                            .find(java.util.List.of(new ScopedKey("", "charge", "key-3-of-charges")))
                            .getFirst()
                            .orElseThrow();
                    assertThat(stored.outcome().map(Payload::bytes).map(RedisStoreStartTest::text))
                            .hasValueSatisfying(text -> assertThat(text).doesNotContain("charged"));
                });
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.ISO_8859_1);
    }

    @Test
    void consoleIsRefusedAtStartWithTheMissingAbility() {
        assertThat(causeOf(application
                        .withUserConfiguration(Charges.class)
                        .withPropertyValues(
                                "refrain.store.url=" + server.url(),
                                "refrain.console.enabled=true",
                                "refrain.console.role=operator")))
                .isInstanceOf(MissingAbilityException.class)
                .hasMessageContaining("refrain.console.enabled")
                .hasMessageContaining("\"browsing\"");
    }

    @Service
    static class Payouts {
        @Idempotent(
                key = "#id",
                mode = Idempotent.Mode.LEASED_HOLD,
                operation = "payout",
                store = "bulk",
                requireCorrectStore = true)
        public String pay(String id) {
            return "paid";
        }
    }

    @RestController
    static class PayoutHandler {
        @PostMapping("/payouts")
        @Idempotent(mode = Idempotent.Mode.LEASED_HOLD, requireCorrectStore = true)
        public String pay() {
            return "paid";
        }
    }

    @RestController
    static class PlainHandler {
        @PostMapping("/payouts")
        @Idempotent(mode = Idempotent.Mode.LEASED_HOLD)
        public String pay() {
            return "paid";
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class PayoutRoute {
        @Bean
        Route payouts() {
            return Route.of("POST /payouts", RoutePolicy.of(OperationMode.leased(LeaseExpiryPolicy.HOLD)));
        }
    }

    private void assertCorrectStoreDemanded(Class<?> parts, String operation, String... settings) {
        assertThat(causeOf(
                        application.withUserConfiguration(Database.class, parts).withPropertyValues(settings)))
                .isInstanceOf(RefrainStartException.class)
                .hasMessageContaining(operation + " demands a correct store (requireCorrectStore), but Redis ");
    }

    @Test
    void operationThatDemandsACorrectStoreIsRefused() {
        String byDefault = "refrain.store.url=" + server.url();
        assertCorrectStoreDemanded(Payouts.class, "payout", "refrain.stores.bulk.url=" + server.url());
        assertCorrectStoreDemanded(PayoutHandler.class, "POST /payouts", byDefault);
        assertCorrectStoreDemanded(
                PlainHandler.class, "POST /payouts", byDefault, "refrain.http.require-correct-store=true");
        assertCorrectStoreDemanded(
                PayoutRoute.class, "POST /payouts", byDefault, "refrain.http.require-correct-store=true");
        assertCorrectStoreDemanded(
                PlainHandler.class,
                "POST /payouts",
                byDefault,
                "refrain.routes.payouts.match=POST /payouts",
                "refrain.routes.payouts.require-correct-store=true");
    }

    @Test
    void operationThatDemandsACorrectStoreRunsOnADatabase() {
        application
                .withUserConfiguration(Database.class, PayoutHandler.class)
                .run(context -> assertThat(context).hasNotFailed());
    }

    @Configuration(proxyBeanMethods = false)
    static class Orders {
        @Bean
        Flow<String, String, Connection> orders() {
            return Flow.of("orders", String.class, String.class)
                    .phase("started", (tx, at) -> PhaseResult.finish(201, at.request()))
                    .build();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Deliveries {
        @Bean
        RelayCustomizer deliveries() {
            return relay -> {};
        }
    }

    @ParameterizedTest
    @ValueSource(classes = {Orders.class, Deliveries.class})
    void flowAndRelayAreRefusedWhereTheDefaultStoreHasNoTransactions(Class<?> part) {
        assertThat(causeOf(application
                        .withUserConfiguration(Database.class, part)
                        .withPropertyValues("refrain.store.url=" + server.url())))
                .isInstanceOf(RefrainStartException.class)
                .hasMessageContaining(
                        part.getSimpleName().toLowerCase(Locale.ROOT) + ": cannot run on the default store (Redis ")
                .hasMessageContaining("leave refrain.store.url out")
                .hasMessageContaining("refrain.stores.<name>.url");
    }

    @Service
    static class Transfers {
        @Idempotent(key = "#id", operation = "transfer")
        @Transactional
        public String transfer(String id) {
            return "transferred";
        }
    }

    @Test
    void methodInATransactionOfADatabaseIsToldThatTheKeyIsElsewhere() {
        assertThat(causeOf(application
                        .withUserConfiguration(Database.class, Transfers.class)
                        .withPropertyValues("refrain.store.url=" + server.url())))
                .isInstanceOf(RefrainStartException.class)
                .hasMessageContaining(
                        "Transfers.transfer is @Idempotent but not @Transactional on the keys' database: its keys are in the default store (Redis ")
                .hasMessageContaining("LEASED_HOLD");
    }

    @Configuration(proxyBeanMethods = false)
    static class JedisFactory {
        @Bean
        RedisConnectionFactory redisConnectionFactory() {
            return (RedisConnectionFactory) Proxy.newProxyInstance(
                    RedisStoreStartTest.class.getClassLoader(),
                    new Class<?>[] {RedisConnectionFactory.class},
                    (proxy, method, arguments) -> switch (method.getName()) {
                        case "hashCode" -> System.identityHashCode(proxy);
                        case "equals" -> proxy == arguments[0];
                        default -> null;
                    });
        }
    }

    @Test
    void connectionFactoryOfAnotherClientIsRefused() {
        assertThat(causeOf(application.withUserConfiguration(JedisFactory.class, Charges.class)))
                .isInstanceOf(RefrainStartException.class)
                .hasMessageContaining("whose address the starter cannot read")
                .hasMessageContaining("refrain.store.url=redis://HOST:PORT");
    }

    @Test
    void unreachableServerIsToldWithItsSetting() {
        assertThat(causeOf(application
                        .withUserConfiguration(Charges.class)
                        .withPropertyValues("refrain.stores.bulk.url=redis://:hidden@127.0.0.1:1")))
                .isInstanceOf(RefrainStartException.class)
                .hasMessageContaining("refrain.stores.bulk.url cannot be opened")
                .hasMessageContaining("Redis at 127.0.0.1:1 is not reachable")
                .hasMessageNotContaining("hidden");
    }

    @Test
    void urlThatNoStoreTakesIsToldWithThoseThatThereAre() {
        assertThat(causeOf(application
                        .withUserConfiguration(Charges.class)
                        .withPropertyValues("refrain.store.url=mongo://:hidden@db")))
                .isInstanceOf(RefrainStartException.class)
                .hasMessageContaining("refrain.store.url: No store takes URLs that begin with mongo:")
                .hasMessageContaining("redis://HOST:PORT")
                .hasMessageNotContaining("hidden");
    }

    @Test
    void urlOfADatabaseIsRefused() {
        assertThat(causeOf(application
                        .withUserConfiguration(Charges.class)
                        .withPropertyValues("refrain.store.url=jdbc:sqlite:keys.db")))
                .isInstanceOf(RefrainStartException.class)
                .hasMessageContaining("Configure a DataSource");
    }
}
