package dev.refrain.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.refrain.flow.Flow;
import dev.refrain.flow.FlowRunner;
import dev.refrain.flow.PhaseResult;
import dev.refrain.http.edge.RouteProtection;
import dev.refrain.servers.PostgresServer;
import jakarta.persistence.Entity;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.Id;
import jakarta.persistence.PostPersist;
import jakarta.persistence.Table;
import java.sql.Connection;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.awaitility.Awaitility;
import org.hibernate.FlushMode;
import org.hibernate.Session;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.annotation.Bean;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.orm.jpa.EntityManagerFactoryUtils;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

/** A network that falls silent at COMMIT keeps no client longer than its patience, whatever the transaction manager does in its commit. */
class SilentCommitTest {

    private static final Duration STORE_TIMEOUT = Duration.ofSeconds(4);

    /** Below the 60 s after which the driver gives up, and the 10 min of a run. */
    private static final Duration NEVER = Duration.ofSeconds(45);

    private static final String SILENCE = "&socketTimeout=60&loginTimeout=60&connectTimeout=60";

    private static @Nullable SilentProxy network;

    private static void fallSilent() {
        if (network != null) {
            network.fallSilent();
        }
    }

    @Entity
    @Table(name = "silent_payment")
    static class SilentPayment {
        @Id
        String id = "";

        /** Its row is written, and nothing is left but the COMMIT. */
        @PostPersist
        void written() {
            if (id.startsWith("silent")) {
                fallSilent();
            }
        }
    }

    static class PlainManager {}

    static class ExtendedManager {
        @Bean
        PlatformTransactionManager transactionManager(DataSource source) {
            return new JdbcTransactionManager(source) {};
        }
    }

    enum Manager {
        PLAIN_WITH_SYNCHRONIZATION(PlainManager.class),
        EXTENDED(ExtendedManager.class),
        JPA(PlainManager.class, "test.tools=hibernate,jpa", "spring.jpa.open-in-view=false"),
        JPA_IN_VIEW(PlainManager.class, "test.tools=hibernate,jpa", "spring.jpa.open-in-view=true");

        private final Class<?> part;
        private final List<String> settings;

        Manager(Class<?> part, String... settings) {
            this.part = part;
            this.settings = List.of(settings);
        }
    }

    static class Flows {
        @Bean
        Flow<String, String, Connection> orders(Payments payments) {
            return Flow.of("orders", String.class, String.class)
                    .namespace(RouteProtection.NAMESPACE)
                    .phase("started", (tx, at) -> {
                        payments.write(at.request());
                        return PhaseResult.finish(200, "done");
                    })
                    .build();
        }
    }

    /** Writes the row of a payment: with JPA inside the commit, else at once. */
    record Payments(ObjectProvider<EntityManagerFactory> factory, JdbcTemplate jdbc) {

        void write(String id) {
            var payment = new SilentPayment();
            payment.id = id;
            var jpa = factory.getIfAvailable();
            if (jpa == null) {
                jdbc.update("INSERT INTO silent_payment VALUES (?)", id);
                TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
                    @Override
                    public void beforeCommit(boolean readOnly) {
                        payment.written();
                    }
                });
            } else {
                entities(jpa).persist(payment);
            }
        }

        static EntityManager entities(EntityManagerFactory factory) {
            var bound = EntityManagerFactoryUtils.getTransactionalEntityManager(factory);
            return bound == null ? factory.createEntityManager() : bound;
        }
    }

    static class PaymentsConfiguration {
        @Bean
        Payments payments(ObjectProvider<EntityManagerFactory> factory, JdbcTemplate jdbc) {
            jdbc.execute("CREATE TABLE IF NOT EXISTS silent_payment (id text PRIMARY KEY)");
            return new Payments(factory, jdbc);
        }
    }

    @RestController
    static class Shop {
        private final Payments payments;
        private final FlowRunner<Connection> flows;
        private final Flow<String, String, Connection> orders;

        Shop(Payments payments, FlowRunner<Connection> flows, Flow<String, String, Connection> orders) {
            this.payments = payments;
            this.flows = flows;
            this.orders = orders;
        }

        @PostMapping("/transactional")
        @Idempotent
        @Transactional
        public String inTransaction(@RequestBody String body) {
            payments.write(body);
            return "done";
        }

        @PostMapping("/flow")
        @Idempotent(mode = Idempotent.Mode.FLOW)
        public String flow(@RequestBody String body) throws Exception {
            flows.runForCurrentCall(orders, body);
            return "never seen";
        }

        /** Keeps what was changed in memory alone: Hibernate's own mode. */
        @PostMapping("/by-hand")
        @Idempotent
        @Transactional
        public String flushedByHand(@RequestBody String body) {
            Payments.entities(payments.factory().getObject())
                    .unwrap(Session.class)
                    .setHibernateFlushMode(FlushMode.MANUAL);
            payments.write(body);
            return "done";
        }
    }

    private static StartTestApplication start(String url, Manager manager) {
        var settings = Stream.concat(
                        Stream.of("refrain.http.store-timeout=4s", "refrain.http.lease=5s", "logging.level.root=off"),
                        manager.settings.stream())
                .toList();
        return StartTestApplication.start(
                url, settings, PaymentsConfiguration.class, Shop.class, Flows.class, manager.part);
    }

    @AfterEach
    void forget() {
        network = null;
    }

    private static void isThereAgain(SilentProxy proxy, StartTestApplication application, String path, int attempt) {
        proxy.speak();
        Awaitility.await().atMost(Duration.ofMinutes(2)).untilAsserted(() -> {
            String id = "there" + path + attempt;
            assertThat(application.post(path, id, id).statusCode()).isEqualTo(200);
        });
    }

    @ParameterizedTest
    @EnumSource
    void commitOnASilentNetworkIsAnsweredWithinPatience(Manager manager) throws Exception {
        String url = PostgresServer.shared().freshDatabase();
        for (String path : List.of("/transactional", "/flow")) {
            try (var proxy = new SilentProxy(url);
                    var application = start(proxy.url() + SILENCE, manager)) {
                network = proxy;
                // The commit is waited for, and then its outcome: 8.1 to 8.3 s, and 6.2 s in a flow.
                RequestPatience.TimedRequest speaking = attempt -> isThereAgain(proxy, application, path, attempt);
                new RequestPatience(STORE_TIMEOUT, 2, NEVER).assertKept(manager + path, speaking, attempt -> {
                    String id = "silent" + path + attempt;
                    var answer = application.post(path, id, id);
                    assertThat(answer.statusCode())
                            .as(path + " " + answer.body())
                            .isEqualTo(503);
                });
                proxy.speak();
            }
        }
    }

    @Test
    void entitiesThatAnApplicationFlushesByHandAreNotFlushed() throws Exception {
        String url = PostgresServer.shared().freshDatabase();
        try (var application = start(url, Manager.JPA)) {
            assertThat(application.post("/by-hand", "k1", "kept").statusCode()).isEqualTo(200);
            assertThat(application.post("/transactional", "k2", "flushed").statusCode())
                    .isEqualTo(200);

            assertThat(application
                            .context()
                            .getBean(JdbcTemplate.class)
                            .queryForList("SELECT id FROM silent_payment", String.class))
                    .containsExactly("flushed");
        }
    }
}
