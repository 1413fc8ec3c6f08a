package dev.refrain.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.refrain.Refrain;
import dev.refrain.flow.Flow;
import dev.refrain.flow.PhaseResult;
import dev.refrain.servers.CapturedWarnings;
import dev.refrain.store.jdbc.JdbcStore;
import dev.refrain.store.memory.MemoryStore;
import java.nio.file.Path;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.stereotype.Service;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;
import org.sqlite.SQLiteDataSource;

/** One DataSource holds the keys; where nothing says which, an application that needs it does not start. */
class StoreChoiceTest {

    @TempDir
    static Path directory;

    private final WebApplicationContextRunner application = SqliteApplication.runner();

    private static SQLiteDataSource database(String name) {
        return SqliteApplication.database(directory, name);
    }

    private WebApplicationContextRunner withTwo() {
        return application
                .withBean("orders", DataSource.class, () -> database("orders"))
                .withBean("ledger", DataSource.class, () -> database("ledger"));
    }

    @RestController
    @RequestMapping("/v1")
    static class Payments {
        @PostMapping("/payments")
        @Idempotent(mode = Idempotent.Mode.LEASED_RESUME)
        public String create() {
            return "";
        }
    }

    @Service
    static class Charges {
        @Idempotent(key = "#id", mode = Idempotent.Mode.LEASED_RESUME)
        public void charge(String id) {}
    }

    @Test
    void handlerWithTwoDataSourcesIsRefusedWithTheirNamesAndTheSetting() {
        withTwo()
                .withBean(Payments.class)
                .run(context -> assertThat(context)
                        .getFailure()
                        .isInstanceOf(RefrainStartException.class)
                        .hasMessageContainingAll(
                                "Nothing would protect POST /v1/payments (Payments.create)",
                                "2 DataSource beans",
                                "ledger, orders",
                                "refrain.store.data-source=ledger",
                                "@RefrainDataSource",
                                "refrain.enabled=false"));
    }

    @Test
    void handlerWithoutDataSourceIsRefused() {
        application
                .withBean(Payments.class)
                .run(context -> assertThat(context)
                        .getFailure()
                        .isInstanceOf(RefrainStartException.class)
                        .hasMessageContainingAll("Payments.create", "no DataSource bean", "spring.datasource.url"));
    }

    @Test
    void methodWithTwoDataSourcesIsRefused() {
        withTwo()
                .withBean(Charges.class)
                .run(context -> assertThat(context)
                        .getFailure()
                        .isInstanceOf(RefrainStartException.class)
                        .hasMessageContainingAll("Nothing would protect Charges.charge", "ledger, orders"));
    }

    @Test
    void flowAndConfiguredRouteWithTwoDataSourcesAreRefused() {
        withTwo()
                .withBean(
                        "placing",
                        Flow.class,
                        () -> Flow.of("orders", String.class, String.class)
                                .phase("started", (tx, at) -> PhaseResult.finish(201, at.request()))
                                .build())
                .withPropertyValues(
                        "refrain.routes.legacy.match=POST /legacy", "refrain.routes.legacy.mode=leased-hold")
                .run(context -> assertThat(context)
                        .getFailure()
                        .isInstanceOf(RefrainStartException.class)
                        .hasMessageContainingAll("the Flow bean placing", "refrain.routes.legacy"));
    }

    @Test
    void methodThatNothingInterceptsIsRefused() {
        new WebApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(
                        RefrainAutoConfiguration.class, RefrainProtectionCheckAutoConfiguration.class))
                .withBean(MemoryStore.class, MemoryStore::new)
                .withBean(Charges.class)
                .run(context -> assertThat(context)
                        .getFailure()
                        .isInstanceOf(RefrainStartException.class)
                        .hasMessageContainingAll(
                                "Nothing would protect Charges.charge", "RefrainMethodAutoConfiguration"));
    }

    @Test
    void applicationThatProtectsNothingStartsWithoutStore() {
        withTwo().run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(Refrain.class));
    }

    @Test
    void settingChoosesTheDataSource() {
        withTwo()
                .withBean(Payments.class)
                .withPropertyValues("refrain.store.data-source=orders")
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    assertThat(context.getBean(JdbcStore.class).dataSource()).isSameAs(context.getBean("orders"));
                });
    }

    @Test
    void settingThatNamesNoBeanIsRefusedWithTheCandidates() {
        withTwo()
                .withPropertyValues("refrain.store.data-source=order")
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .isInstanceOf(RefrainStartException.class)
                        .hasMessageContainingAll("refrain.store.data-source is 'order'", "ledger, orders"));
    }

    @Configuration(proxyBeanMethods = false)
    static class MarkedLedger {
        @Bean
        DataSource orders() {
            return database("orders");
        }

        @Bean
        @RefrainDataSource
        DataSource ledger() {
            return database("ledger");
        }
    }

    @Test
    void annotationChoosesTheDataSource() {
        application
                .withUserConfiguration(MarkedLedger.class)
                .withBean(Payments.class)
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    assertThat(context.getBean(JdbcStore.class).dataSource()).isSameAs(context.getBean("ledger"));
                });
    }

    @Configuration(proxyBeanMethods = false)
    static class TwoManagers extends MarkedLedgerWithPrimaryOrders {
        @Bean
        @org.springframework.context.annotation.Primary
        PlatformTransactionManager ordersTransactions(DataSource orders) {
            return new JdbcTransactionManager(orders);
        }

        @Bean
        PlatformTransactionManager ledgerTransactions(@RefrainDataSource DataSource ledger) {
            return new JdbcTransactionManager(ledger);
        }
    }

    static class MarkedLedgerWithPrimaryOrders {
        @Bean
        @org.springframework.context.annotation.Primary
        DataSource orders() {
            return database("orders");
        }

        @Bean
        @RefrainDataSource
        DataSource ledger() {
            return database("ledger");
        }
    }

    @RestController
    static class Bookings {
        @PostMapping("/bookings")
        @Idempotent
        @Transactional("ledgerTransactions")
        public String book() {
            return "";
        }
    }

    @RestController
    static class Strays {
        @PostMapping("/strays")
        @Idempotent
        @Transactional
        public String book() {
            return "";
        }
    }

    @Test
    void handlerInTransactionsOfTheKeysDataSourceStarts() {
        application
                .withUserConfiguration(TwoManagers.class)
                .withBean(Bookings.class)
                .run(context -> assertThat(context).hasNotFailed());
    }

    /** The primary manager is that of another database: work and key would be two commits. */
    @Test
    void handlerInTransactionsOfAnotherDataSourceIsRefused() {
        application
                .withUserConfiguration(TwoManagers.class)
                .withBean(Strays.class)
                .run(context -> assertThat(context)
                        .getFailure()
                        .isInstanceOf(RefrainStartException.class)
                        .hasMessageContainingAll("Strays.book", "default manager", "commit separately"));
    }

    /** Spring Boot makes no transaction manager for two DataSources without a primary one, so nothing would begin what {@code @Transactional} asks for. */
    @ParameterizedTest
    @ValueSource(classes = {Strays.class, BookedCharges.class})
    void workInTransactionsThatNobodyManagesIsRefusedAndNotTakenForWorkWithoutThem(Class<?> work) {
        withTwo()
                .withBean(work)
                .withPropertyValues("refrain.store.data-source=orders")
                .run(context -> assertThat(context)
                        .getFailure()
                        .isInstanceOf(RefrainStartException.class)
                        .hasMessageContainingAll(
                                work.getSimpleName() + ".",
                                "is @Transactional, but no transaction manager manages the database of its keys",
                                "new JdbcTransactionManager(dataSource)"));
    }

    @Service
    static class BookedCharges {
        @Idempotent(key = "#id")
        @Transactional
        public void charge(String id) {}
    }

    @Test
    void settingThatAnOwnStoreDoesNotFollowIsRefused() {
        withTwo()
                .withBean(MemoryStore.class, MemoryStore::new)
                .withPropertyValues("refrain.store.data-source=orders")
                .run(context -> assertThat(context)
                        .getFailure()
                        .isInstanceOf(RefrainStartException.class)
                        .hasMessageContaining("defines a Store bean of its own"));
    }

    @Test
    void twoStoresForOneNamespaceAreRefused() {
        application
                .withBean("here", MemoryStore.class, MemoryStore::new)
                .withBean("there", MemoryStore.class, MemoryStore::new)
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .isInstanceOf(RefrainStartException.class)
                        .hasMessageContainingAll("several Store beans", "here, there", "A namespace has one store"));
    }

    @Test
    void switchedOffItWarnsOnceWithEverythingThatIsUnprotected() {
        List<String> warnings;
        try (var captured = CapturedWarnings.of(UnprotectedStartGuard.class)) {
            withTwo()
                    .withBean(Payments.class)
                    .withBean(Charges.class)
                    .withPropertyValues("refrain.enabled=false")
                    .run(context -> assertThat(context).hasNotFailed());
            warnings = captured.messages();
        }
        assertThat(warnings)
                .isEqualTo(List.of("refrain.enabled is false: nothing protects Charges.charge, POST /v1/payments"
                        + " (Payments.create). A retry runs their work again."));
    }
}
