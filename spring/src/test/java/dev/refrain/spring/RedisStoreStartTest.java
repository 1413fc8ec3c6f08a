package dev.refrain.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.refrain.Refrain;
import dev.refrain.api.Payload;
import dev.refrain.api.ScopedKey;
import dev.refrain.servers.RedisServer;
import dev.refrain.spring.console.RefrainConsoleAutoConfiguration;
import dev.refrain.store.MissingAbilityException;
import dev.refrain.store.Store;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.stereotype.Service;

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
