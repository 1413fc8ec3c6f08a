package dev.refrain.spring.transaction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.refrain.Refrain;
import dev.refrain.api.Downstream;
import dev.refrain.outbox.DeliveryBackoff;
import dev.refrain.outbox.Outbox;
import dev.refrain.outbox.OutboxMessage;
import dev.refrain.outbox.Relay;
import dev.refrain.outbox.TopicSettings;
import dev.refrain.servers.MariadbServer;
import dev.refrain.servers.PostgresServer;
import dev.refrain.spring.RelayCustomizer;
import dev.refrain.store.outbox.OutboxStore;
import dev.refrain.store.outbox.StagingListener;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.file.Path;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.transaction.annotation.Transactional;

/** Messages that are staged in Spring's transactions, and the relay that the starter runs. */
@ParameterizedClass
@EnumSource
class TransactionalOutboxTest {

    enum Database {
        POSTGRESQL,
        SQLITE,
        MARIADB
    }

    record Receipt(String order, long amount) {}

    private static final TopicSettings POSTS = TopicSettings.of("posts").maxConcurrent(1);

    /** What one application needs of the test, and one test of its application. */
    static class Post {
        final CountDownLatch begun = new CountDownLatch(1);
        final CountDownLatch mayEnd = new CountDownLatch(1);
        final AtomicBoolean failsOnce = new AtomicBoolean();
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Shop {

        @Bean
        MeterRegistry meters() {
            return new SimpleMeterRegistry();
        }

        @Bean
        Post post() {
            return new Post();
        }

        @Bean
        Orders orders(JdbcTemplate sql, TransactionalOutbox outbox) {
            return new Orders(sql, outbox);
        }

        /** With the application's own template, which takes part in the transaction of the delivery. */
        @Bean
        RelayCustomizer receipts(JdbcTemplate sql, Post post) {
            return relay -> relay.handle(
                    TopicSettings.of("receipts").backoff(new DeliveryBackoff(Duration.ZERO, Duration.ZERO)),
                    (tx, delivery) -> {
                        sql.update(
                                "INSERT INTO receipts VALUES (?)",
                                delivery.bodyAs(Receipt.class).order());
                        if (post.failsOnce.getAndSet(false)) {
                            throw new IllegalStateException("after it has written");
                        }
                    });
        }

        @Bean
        RelayCustomizer posts(Post post) {
            return relay -> relay.sendTo(POSTS, Downstream.honoursKeysForEver(), delivery -> {
                post.begun.countDown();
                post.mayEnd.await();
            });
        }
    }

    static class Orders {
        private final JdbcTemplate sql;
        private final TransactionalOutbox outbox;

        Orders(JdbcTemplate sql, TransactionalOutbox outbox) {
            this.sql = sql;
            this.outbox = outbox;
        }

        @Transactional
        public void place(String order) {
            sql.update("INSERT INTO orders VALUES (?)", order);
            outbox.stage("receipts", new Receipt(order, 700));
            if (order.startsWith("bad")) {
                throw new IllegalArgumentException("bad order");
            }
        }

        @Transactional
        public void post(String... texts) {
            for (String text : texts) {
                outbox.stage(OutboxMessage.of("posts", text).orderedWithinTopic());
            }
        }

        public void forgetToBegin() {
            outbox.stage("receipts", "no transaction");
        }
    }

    @Parameter
    private Database database;

    @TempDir
    private Path folder;

    private final List<ConfigurableApplicationContext> shops = new ArrayList<>();
    private String url;
    private JdbcTemplate outside;

    @BeforeEach
    void createTables() {
        assumeTrue(database != Database.MARIADB || Boolean.getBoolean("tests.stores"), "needs MariaDB: -Pstores");
        url = switch (database) {
            case POSTGRESQL -> PostgresServer.shared().freshDatabase();
            case SQLITE -> "jdbc:sqlite:" + folder.resolve("shop.db");
            case MARIADB -> MariadbServer.shared().freshDatabase();
        };
        outside = new JdbcTemplate(new DriverManagerDataSource(url));
        outside.execute("CREATE TABLE orders (id text)");
        outside.execute("CREATE TABLE receipts (id text)");
    }

    @AfterEach
    void close() {
        shops.forEach(ConfigurableApplicationContext::close);
    }

    private ConfigurableApplicationContext shop(String... settings) {
        return started(new SpringApplicationBuilder(Shop.class), settings);
    }

    private ConfigurableApplicationContext started(SpringApplicationBuilder application, String... settings) {
        var arguments = new ArrayList<>(List.of(
                "--spring.main.banner-mode=off",
                "--logging.level.root=off",
                "--refrain.scope=shared",
                "--spring.datasource.url=" + url));
        arguments.addAll(Arrays.asList(settings));
        var shop = application.web(WebApplicationType.NONE).run(arguments.toArray(String[]::new));
        shops.add(shop);
        return shop;
    }

    private List<String> in(String table) {
        return outside.queryForList("SELECT id FROM " + table, String.class);
    }

    private int waiting() {
        return outside.queryForObject("SELECT count(*) FROM refrain_outbox", Integer.class);
    }

    @Test
    void stagedMessageIsDeliveredOnlyIfItsTransactionCommits() {
        var shop = shop();
        var orders = shop.getBean(Orders.class);

        assertThatThrownBy(() -> orders.place("bad")).hasMessage("bad order");
        orders.place("good");

        await().until(() -> in("receipts").contains("good"));
        assertThat(in("receipts")).containsExactly("good");
        assertThat(in("orders")).containsExactly("good");
        assertThat(waiting()).isZero();
        await().untilAsserted(() -> assertThat(shop.getBean(MeterRegistry.class)
                        .get("refrain.outbox.delivered")
                        .tag("topic", "receipts")
                        .timer()
                        .count())
                .isEqualTo(1));
    }

    @Test
    void commitOfSpringsTransactionIsReportedToRelaysOfItsProcess() {
        var shop = shop("--refrain.relay.enabled=false");
        var orders = shop.getBean(Orders.class);
        var here = Thread.currentThread();
        var reports = new ArrayList<String>();
        try (var listening = shop.getBean(OutboxStore.class).subscribeToCommits(new StagingListener() {
            @Override
            public void committed(String topic) {
                if (Thread.currentThread() == here) {
                    reports.add("committed " + topic + " with " + waiting());
                }
            }

            @Override
            public void staged(String topic) {
                reports.add("staged " + topic);
            }
        })) {
            assertThatThrownBy(() -> orders.place("bad")).hasMessage("bad order");
            orders.place("good");
        }
        assertThat(reports).containsExactly("committed receipts with 1");
    }

    @Test
    void handlersWritesThroughSpringAreRolledBackIfItFails() {
        var shop = shop();
        shop.getBean(Post.class).failsOnce.set(true);

        shop.getBean(Orders.class).place("good");

        await().until(() -> waiting() == 0);
        assertThat(in("receipts")).containsExactly("good");
        assertThat(shop.getBean(Post.class).failsOnce).isFalse();
    }

    @Test
    void withoutATransactionStagingIsRefused() {
        var orders = shop().getBean(Orders.class);

        assertThatThrownBy(orders::forgetToBegin)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("@Transactional");
        assertThat(waiting()).isZero();
    }

    @Test
    void instanceMayStageAndLeaveTheDeliveryToOthers() {
        var shop = shop("--refrain.relay.enabled=false");
        shop.getBean(Orders.class).place("good");

        assertThat(shop.getBeansOfType(RelayLifecycle.class)).isEmpty();
        assertThat(shop.getBean("refrainOutbox", Outbox.class)
                        .backlog("receipts")
                        .waiting())
                .isEqualTo(1);

        shop();
        await().until(() -> in("receipts").equals(List.of("good")));
    }

    @Test
    void applicationThatStopsEndsWhatItDeliversAndGivesBackTheRest() throws Exception {
        var shop = shop();
        var post = shop.getBean(Post.class);
        // One relay takes them together, and delivers them one after the other.
        shop.getBean(Orders.class).post("first", "second");
        post.begun.await();

        var closing = Thread.startVirtualThread(shop::close);
        await().until(() -> shop.isClosed() && closing.getState() == Thread.State.WAITING);
        assertThat(waiting()).isEqualTo(2);
        post.mayEnd.countDown();
        closing.join();

        assertThat(waiting()).isEqualTo(1);
        shop().getBean(Post.class).mayEnd.countDown();
        // Long before a lease would be over.
        await().until(() -> waiting() == 0);
    }

    @Test
    void settingThatCannotBeIsRefusedByItsName() {
        assertThatThrownBy(() -> shop("--refrain.relay.poll-interval=0s"))
                .rootCause()
                .hasMessageContaining("refrain.relay.poll-interval is 0 s");
        assertThatThrownBy(() -> shop("--refrain.relay.close-timeout=-1s"))
                .rootCause()
                .hasMessageContaining("refrain.relay.close-timeout");
        assertThatThrownBy(() -> shop("--refrain.outbox.max-body-bytes=2GB"))
                .rootCause()
                .hasMessageContaining("refrain.outbox.max-body-bytes");
    }

    @Configuration(proxyBeanMethods = false)
    static class OwnRelay {

        @Bean(destroyMethod = "close")
        Relay own(Refrain refrain, OutboxStore<Connection> store) {
            return Relay.on(refrain, store).start();
        }
    }

    @Test
    void applicationsOwnRelayIsTheOnlyOne() {
        var shop = started(new SpringApplicationBuilder(Shop.class, OwnRelay.class));

        assertThat(shop.getBeansOfType(RelayLifecycle.class)).isEmpty();
    }
}
