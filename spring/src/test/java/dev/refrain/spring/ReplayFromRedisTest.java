package dev.refrain.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.refrain.servers.RedisServer;
import dev.refrain.store.encryption.EncryptingStore;
import dev.refrain.store.encryption.EncryptionKeyRing;
import dev.refrain.store.jdbc.JdbcStore;
import java.nio.file.Path;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.stereotype.Service;
import org.springframework.transaction.PlatformTransactionManager;

/** An application with its keys in its database and a Redis in front of it that replays: {@code refrain.store.replay-from}. */
class ReplayFromRedisTest {

    private static final String KEYS = "k1=" + "A".repeat(43) + "=";

    private static RedisServer server;

    @TempDir
    static Path directory;

    private final WebApplicationContextRunner application = SqliteApplication.runner()
            .withConfiguration(AutoConfigurations.of(RefrainEncryptionAutoConfiguration.class))
            .withUserConfiguration(Database.class, Charges.class)
            .withPropertyValues("refrain.cache.max-bytes=0B");

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
        final AtomicInteger leased = new AtomicInteger();
        final AtomicInteger transactional = new AtomicInteger();

        @Idempotent(key = "#id", mode = Idempotent.Mode.LEASED_RESUME, operation = "charge")
        public String charge(String id) {
            return "charged " + leased.incrementAndGet();
        }

        @Idempotent(key = "#id", mode = Idempotent.Mode.TRANSACTIONAL, operation = "book")
        public String book(String id) {
            return "booked " + transactional.incrementAndGet();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Database {
        @Bean
        DataSource dataSource() {
            return SqliteApplication.database(directory, UUID.randomUUID().toString());
        }

        @Bean
        PlatformTransactionManager transactionManager(DataSource source) {
            return new JdbcTransactionManager(source);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class OwnEncryption {
        @Bean
        EncryptingStore store(DataSource dataSource) {
            return EncryptingStore.around(JdbcStore.on(dataSource), EncryptionKeyRing.parse(KEYS));
        }
    }

    private static String replayFrom(String prefix) {
        return "refrain.store.replay-from=" + server.url() + "?timeout=60s&key-prefix=" + prefix;
    }

    private static int entries(String prefix) {
        return Integer.parseInt(server.command("EVAL", "return #redis.call('KEYS', ARGV[1])", "0", prefix + ":replay:*")
                .substring(1));
    }

    private static void replayUntilPromoted(Charges charges, String key, String prefix) {
        await().atMost(Duration.ofMinutes(1)).until(() -> {
            assertThat(charges.charge(key)).isEqualTo("charged 1");
            return entries(prefix) == 1;
        });
        assertThat(charges.charge(key)).isEqualTo("charged 1");
    }

    @Test
    void outcomesAreReplayedFromRedisAndTransactionsStayThoseOfTheDatabase() {
        application.withPropertyValues(replayFrom("plain")).run(context -> {
            assertThat(context).hasNotFailed();
            var charges = context.getBean(Charges.class);

            replayUntilPromoted(charges, "key-1-of-charges", "plain");
            for (int i = 0; i < 40; i++) {
                assertThat(charges.book("key-1-of-bookings")).isEqualTo("booked 1");
            }

            assertThat(entries("plain"))
                    .as("found before a transaction, once replays are usual")
                    .isEqualTo(2);
        });
    }

    @Test
    void encryptionOfTheStarterGoesAroundTheRedis() {
        application
                .withPropertyValues(replayFrom("encrypted"), "refrain.encryption.keys=" + KEYS)
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    var charges = context.getBean(Charges.class);
                    assertThat(charges.book("key-2-of-bookings")).isEqualTo("booked 1");

                    replayUntilPromoted(charges, "key-2-of-charges", "encrypted");

                    assertThat(server.command(
                                    "EVAL",
                                    "return string.find(redis.call('GET', redis.call('KEYS', ARGV[1])[1]), 'charged', 1, true) and 1 or 0",
                                    "0",
                                    "encrypted:replay:*"))
                            .isEqualTo(":0");
                });
    }

    @Test
    void settingThatNothingCouldFollowIsRefused() {
        application
                .withUserConfiguration(OwnEncryption.class)
                .withPropertyValues(replayFrom("own"))
                .run(context -> assertThat(context)
                        .getFailure()
                        .isInstanceOf(RefrainStartException.class)
                        .hasMessageContaining("refrain.store.replay-from is set, but the starter does not make"));
    }

    @Test
    void wrongUrlIsRefusedInASentence() {
        application
                .withPropertyValues("refrain.store.replay-from=redis://127.0.0.1:1")
                .run(context -> assertThat(context)
                        .getFailure()
                        .hasStackTraceContaining(
                                "refrain.store.replay-from: The URL of the replay cache has no key-prefix"));
    }
}
