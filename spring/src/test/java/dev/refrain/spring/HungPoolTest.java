package dev.refrain.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.refrain.flow.Flow;
import dev.refrain.flow.FlowRunner;
import dev.refrain.flow.PhaseResult;
import dev.refrain.http.edge.RouteProtection;
import dev.refrain.servers.PostgresServer;
import dev.refrain.store.StoreException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.http.ResponseEntity;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.stereotype.Service;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

/**
 * A pool that validates a connection on a silent network can be left only by a virtual thread. No transactional request waits for it on
 * its own thread, whatever the transaction manager, or the start says what to set.
 */
@ExtendWith(OutputCaptureExtension.class)
class HungPoolTest {

    private static final Duration STORE_TIMEOUT = Duration.ofSeconds(1);

    /** Of methods, which have no setting of their own. */
    private static final Duration METHOD_TIMEOUT = Duration.ofSeconds(3);

    private static final Duration HUNG_FOR = Duration.ofSeconds(60);
    private static final List<String> PATHS = List.of("/transactional", "/flow", "/method");
    private static final String ANY_THREAD = "refrain.store.borrow-on-any-thread=true";
    private static final AtomicInteger RUNS = new AtomicInteger();

    private enum Hung {
        NOBODY,
        PLATFORM_THREADS,
        ALL
    }

    private static volatile Hung hung = Hung.NOBODY;

    /** The application's pool, as it behaves while it validates a connection on a silent network. */
    static class HangingDataSource extends DelegatingDataSource {
        HangingDataSource(DataSource pool) {
            super(pool);
        }

        @Override
        public Connection getConnection() throws SQLException {
            boolean virtual = Thread.currentThread().isVirtual();
            if (hung == Hung.ALL || (hung == Hung.PLATFORM_THREADS && !virtual)) {
                hang(virtual);
            }
            return super.getConnection();
        }

        private static void hang(boolean endsByInterrupt) throws SQLException {
            boolean interrupted = false;
            long until = System.nanoTime() + HUNG_FOR.toNanos();
            while (hung != Hung.NOBODY && until - System.nanoTime() > 0) {
                try {
                    TimeUnit.MILLISECONDS.sleep(20);
                } catch (InterruptedException e) {
                    interrupted = true;
                    if (endsByInterrupt) {
                        Thread.currentThread().interrupt();
                        throw new SQLException("Closed by interrupt", e);
                    }
                }
            }
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    static class HangingPool {
        @Bean
        static BeanPostProcessor hanging() {
            return new BeanPostProcessor() {
                @Override
                public Object postProcessAfterInitialization(Object bean, String name) {
                    return bean instanceof DataSource pool && name.equals("dataSource")
                            ? new HangingDataSource(pool)
                            : bean;
                }
            };
        }
    }

    static class PlainManager {}

    /** A manager with an extension of its own. */
    static class ExtendedManager {
        @Bean
        PlatformTransactionManager transactionManager(DataSource source) {
            return new JdbcTransactionManager(source) {};
        }
    }

    /** A manager that hides the one that does the work. */
    static class HidingManager {
        @Bean
        PlatformTransactionManager transactionManager(DataSource source) {
            var hidden = new JdbcTransactionManager(source);
            return new PlatformTransactionManager() {
                @Override
                public TransactionStatus getTransaction(TransactionDefinition definition) {
                    return hidden.getTransaction(definition);
                }

                @Override
                public void commit(TransactionStatus status) {
                    hidden.commit(status);
                }

                @Override
                public void rollback(TransactionStatus status) {
                    hidden.rollback(status);
                }
            };
        }
    }

    enum Manager {
        PLAIN(PlainManager.class),
        EXTENDED(ExtendedManager.class),
        JPA(PlainManager.class, "test.tools=hibernate,jpa", "spring.jpa.open-in-view=false"),
        JPA_IN_VIEW(PlainManager.class, "test.tools=hibernate,jpa", "spring.jpa.open-in-view=true");

        private final Class<?> part;
        private final String[] settings;

        Manager(Class<?> part, String... settings) {
            this.part = part;
            this.settings = settings;
        }
    }

    @Service
    static class Bank {
        @Idempotent(key = "#body")
        @Transactional
        public String pay(String body) {
            RUNS.incrementAndGet();
            return "done";
        }
    }

    @RestController
    static class Shop {
        private final Bank bank;
        private final FlowRunner<Connection> flows;
        private final Flow<String, String, Connection> orders;

        Shop(Bank bank, FlowRunner<Connection> flows, Flow<String, String, Connection> orders) {
            this.bank = bank;
            this.flows = flows;
            this.orders = orders;
        }

        @PostMapping("/transactional")
        @Idempotent
        @Transactional
        public String inTransaction(@RequestBody String body) {
            RUNS.incrementAndGet();
            return "done";
        }

        @PostMapping("/flow")
        @Idempotent(mode = Idempotent.Mode.FLOW)
        public String flow(@RequestBody String body) throws Exception {
            flows.runForCurrentCall(orders, body);
            return "never seen";
        }

        @PostMapping("/method")
        public String method(@RequestBody String body) {
            return bank.pay(body);
        }

        @ExceptionHandler
        ResponseEntity<String> unavailable(StoreException failure) {
            return ResponseEntity.status(503).body(failure.getMessage());
        }
    }

    static class Flows {
        @Bean
        Flow<String, String, Connection> orders() {
            return Flow.of("orders", String.class, String.class)
                    .namespace(RouteProtection.NAMESPACE)
                    .phase("started", (tx, at) -> {
                        RUNS.incrementAndGet();
                        return PhaseResult.finish(200, "done");
                    })
                    .build();
        }
    }

    private static StartTestApplication start(Class<?> manager, String[] ofManager, String... more) {
        var settings = Stream.of(
                        Stream.of("refrain.http.store-timeout=1s", "logging.level.root=warn"),
                        Stream.of(ofManager),
                        Stream.of(more))
                .flatMap(each -> each)
                .toList();
        return StartTestApplication.start(
                PostgresServer.shared().freshDatabase(),
                settings,
                HangingPool.class,
                Shop.class,
                Bank.class,
                Flows.class,
                manager);
    }

    private static void expect(StartTestApplication application, int status) throws Exception {
        for (String path : PATHS) {
            var timeout = path.equals("/method") ? METHOD_TIMEOUT : STORE_TIMEOUT;
            new RequestPatience(timeout, 1, HUNG_FOR.dividedBy(2)).assertKept(path, attempt -> {
                String key = UUID.randomUUID().toString();
                var answer = application.post(path, key, key);

                assertThat(answer.statusCode()).as(path + " " + answer.body()).isEqualTo(status);
            });
        }
    }

    @AfterEach
    void speak() {
        hung = Hung.NOBODY;
    }

    /** As with an idle connection that died alone: the pool would validate it for seconds. */
    @ParameterizedTest
    @EnumSource
    void noRequestWaitsForThePoolOnItsOwnThread(Manager manager, CapturedOutput output) throws Exception {
        try (var application = start(manager.part, manager.settings, ANY_THREAD)) {
            expect(application, 200);
            hung = Hung.PLATFORM_THREADS;
            expect(application, 200);
            hung = Hung.NOBODY;
        }
        assertThat(output.getAll()).doesNotContain("may wait longer than");
    }

    /** As with a network that falls silent at once after a connection was borrowed. */
    @ParameterizedTest
    @EnumSource
    void hungPoolIsAnswered503WithinPatience(Manager manager) throws Exception {
        try (var application = start(manager.part, manager.settings, ANY_THREAD)) {
            expect(application, 200);
            hung = Hung.ALL;
            int before = RUNS.get();
            expect(application, 503);
            assertThat(RUNS).hasValue(before);
            hung = Hung.NOBODY;
        }
    }

    @Test
    void requestsOnVirtualThreadsStopWaitingForAnyPoolAndManager(CapturedOutput output) throws Exception {
        try (var application = start(HidingManager.class, new String[0], "spring.threads.virtual.enabled=true")) {
            expect(application, 200);
            hung = Hung.ALL;
            expect(application, 503);
            hung = Hung.NOBODY;
        }
        assertThat(output.getAll()).doesNotContain("may wait longer than");
    }

    @Test
    void poolThatMustBeAskedOnTheRequestsThreadIsWarnedOfAtStart(CapturedOutput output) {
        start(ExtendedManager.class, new String[0]).close();

        assertThat(output.getAll())
                .contains(
                        "Transactional requests of the default store may wait longer than refrain.http.store-timeout (1 s)",
                        HangingDataSource.class.getName(),
                        ANY_THREAD,
                        "spring.datasource.hikari.connection-timeout (now 30 s)",
                        "spring.datasource.hikari.validation-timeout (now 5 s)");
    }

    @Test
    void managerThatBorrowsItselfIsWarnedOfAtStart(CapturedOutput output) {
        start(HidingManager.class, new String[0], ANY_THREAD).close();

        assertThat(output.getAll())
                .contains(
                        "may wait longer than refrain.http.store-timeout (1 s)",
                        "the transaction manager " + HidingManager.class.getName(),
                        "spring.datasource.hikari.validation-timeout (now 5 s)");
    }

    @Test
    void poolWhoseTimeoutsEndInTimeIsNotWarnedOf(CapturedOutput output) {
        start(
                        ExtendedManager.class,
                        new String[0],
                        "spring.datasource.hikari.connection-timeout=500",
                        "spring.datasource.hikari.validation-timeout=250")
                .close();

        assertThat(output.getAll()).doesNotContain("may wait longer than");
    }
}
