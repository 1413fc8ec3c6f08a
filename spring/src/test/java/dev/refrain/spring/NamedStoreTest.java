package dev.refrain.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.refrain.Refrain;
import dev.refrain.api.ScopedKey;
import dev.refrain.flow.Flow;
import dev.refrain.flow.PhaseResult;
import dev.refrain.store.jdbc.JdbcStore;
import dev.refrain.store.memory.MemoryStore;
import java.nio.file.Path;
import java.util.List;
import javax.sql.DataSource;
import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.stereotype.Service;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;
import org.sqlite.SQLiteDataSource;

/** An application with several stores: an operation says which holds its keys, and a namespace has one. */
class NamedStoreTest {

    @TempDir
    static Path directory;

    private static final String BULK = "refrain.stores.bulk.data-source=bulk";
    private static final String APART = "refrain.stores.bulk.http-namespace=bulk";

    private final WebApplicationContextRunner application = SqliteApplication.runner();

    private static SQLiteDataSource database(String name) {
        return SqliteApplication.database(directory, name);
    }

    /** The first is the default. */
    @Configuration(proxyBeanMethods = false)
    static class TwoDatabases {
        @Bean
        @Primary
        DataSource orders() {
            return database("orders");
        }

        @Bean
        DataSource bulk() {
            return database("bulk");
        }

        @Bean
        @Primary
        PlatformTransactionManager ordersTransactions(@Qualifier("orders") DataSource orders) {
            return new JdbcTransactionManager(orders);
        }

        @Bean
        PlatformTransactionManager bulkTransactions(@Qualifier("bulk") DataSource bulk) {
            return new JdbcTransactionManager(bulk);
        }
    }

    private WebApplicationContextRunner withTwo() {
        return application.withUserConfiguration(TwoDatabases.class);
    }

    private static AbstractThrowableAssert<?, ?> assertRefused(WebApplicationContextRunner runner) {
        var failure = new Throwable[1];
        runner.run(context -> failure[0] = context.getStartupFailure());
        assertThat(failure[0]).as("failure of the start").isNotNull();
        return assertThat(NestedExceptionUtils.getMostSpecificCause(failure[0]))
                .isInstanceOf(RefrainStartException.class);
    }

    @RestController
    static class Payments {
        @PostMapping("/payments")
        @Idempotent(mode = Idempotent.Mode.LEASED_RESUME)
        public String create() {
            return "";
        }
    }

    @RestController
    static class Imports {
        @PostMapping("/imports")
        @Idempotent(mode = Idempotent.Mode.LEASED_RESUME, store = "bulk")
        public String load() {
            return "";
        }
    }

    @Service
    static class Charges {
        @Idempotent(key = "#id", mode = Idempotent.Mode.LEASED_RESUME, operation = "charge")
        public String charge(String id) {
            return "charged";
        }
    }

    @Service
    static class Loads {
        @Idempotent(key = "#id", operation = "load", store = "bulk")
        @Transactional("bulkTransactions")
        public String load(String id) {
            return "loaded";
        }
    }

    @Service
    static class OtherCharges {
        @Idempotent(key = "#id", mode = Idempotent.Mode.LEASED_RESUME, operation = "charge", store = "bulk")
        public String charge(String id) {
            return "charged";
        }
    }

    private static boolean holds(Refrain refrain, String namespace, String key) {
        return refrain.admin().find(new ScopedKey("", namespace, key)).isPresent();
    }

    @Test
    void keysAreInTheStoreThatTheOperationNames() {
        withTwo()
                .withBean(Charges.class)
                .withBean(Loads.class)
                .withPropertyValues(BULK)
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    context.getBean(Charges.class).charge("a");
                    context.getBean(Loads.class).load("b");

                    var byDefault = context.getBean(Refrain.class);
                    var bulk = context.getBean(RefrainStores.class).refrain("bulk");
                    assertThat(bulk).isNotSameAs(byDefault);
                    assertThat(List.of(holds(byDefault, "charge", "a"), holds(bulk, "load", "b")))
                            .containsOnly(true);
                    assertThat(List.of(holds(byDefault, "load", "b"), holds(bulk, "charge", "a")))
                            .containsOnly(false);
                    assertThat(context.getBean(JdbcStore.class).dataSource()).isSameAs(context.getBean("orders"));
                });
    }

    @RestController
    static class Misspelt {
        @PostMapping("/misspelt")
        @Idempotent(mode = Idempotent.Mode.LEASED_RESUME, store = "bluk")
        public String load() {
            return "";
        }
    }

    @Service
    static class MisspeltMethod {
        @Idempotent(key = "#id", mode = Idempotent.Mode.LEASED_RESUME, store = "bluk")
        public void load(String id) {}
    }

    @Test
    void unknownStoreIsRefusedWithTheKnownOnes() {
        assertRefused(withTwo().withBean(Misspelt.class).withPropertyValues(BULK))
                .hasMessageContainingAll(
                        "Misspelt.load names the store 'bluk'",
                        "the default store, the store bulk",
                        "refrain.stores.bluk.data-source");
        assertRefused(withTwo().withBean(MisspeltMethod.class).withPropertyValues(BULK))
                .hasMessageContainingAll("MisspeltMethod.load names the store 'bluk'", "the store bulk");
        assertRefused(withTwo()
                        .withBean(Payments.class)
                        .withPropertyValues(
                                BULK,
                                "refrain.routes.payments.match=POST /payments",
                                "refrain.routes.payments.store=bluk"))
                .hasMessageContainingAll("Payments.create names the store 'bluk'", "the store bulk");
        assertRefused(withTwo().withBean(Misspelt.class))
                .hasMessageContainingAll("names the store 'bluk'", "There is only the default store");
    }

    @Test
    void routesOfTwoStoresInOneNamespaceAreRefusedWithBothPlaces() {
        var both = withTwo().withBean(Payments.class).withBean(Imports.class).withPropertyValues(BULK);
        assertRefused(both)
                .hasMessageContainingAll(
                        "The namespace http has two stores",
                        "Payments.create (the default store)",
                        "Imports.load (the store bulk)",
                        "refrain.stores.bulk.http-namespace=bulk");
        both.withPropertyValues(APART).run(context -> assertThat(context).hasNotFailed());
        // Alone it may use the usual namespace.
        withTwo()
                .withBean(Imports.class)
                .withPropertyValues(BULK)
                .run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    void configurationMovesRouteToStore() {
        assertRefused(withTwo()
                        .withBean(Payments.class)
                        .withPropertyValues(
                                BULK,
                                "refrain.routes.legacy.match=POST /legacy",
                                "refrain.routes.legacy.mode=leased-hold",
                                "refrain.routes.legacy.store=bulk"))
                .hasMessageContainingAll(
                        "refrain.routes.legacy (the store bulk)", "Payments.create (the default store)");
    }

    @Test
    void methodsWithOneNameInTwoStoresAreRefused() {
        assertRefused(withTwo()
                        .withBean(Charges.class)
                        .withBean(OtherCharges.class)
                        .withPropertyValues(BULK))
                .hasMessageContainingAll(
                        "The namespace charge has two stores",
                        "Charges.charge (the default store)",
                        "OtherCharges.charge (the store bulk)",
                        "@Idempotent.operation");
    }

    @RestController
    static class Strays {
        @PostMapping("/strays")
        @Idempotent(store = "bulk")
        @Transactional
        public String book() {
            return "";
        }
    }

    @RestController
    static class Bookings {
        @PostMapping("/bookings")
        @Idempotent(store = "bulk")
        @Transactional("bulkTransactions")
        public String book() {
            return "";
        }
    }

    @Test
    void transactionalHandlerNeedsTheManagerOfItsStore() {
        assertRefused(withTwo().withBean(Strays.class).withPropertyValues(BULK))
                .hasMessageContainingAll(
                        "Strays.book",
                        "default manager ordersTransactions",
                        "bulkTransactions, that of the store bulk",
                        "commit separately",
                        "@Transactional(\"bulkTransactions\")");
        withTwo()
                .withBean(Bookings.class)
                .withPropertyValues(BULK)
                .run(context -> assertThat(context).hasNotFailed());
    }

    @RestController
    static class Forced {
        @PostMapping("/forced")
        @Idempotent(store = "memory", mode = Idempotent.Mode.TRANSACTIONAL)
        @Transactional
        public String book() {
            return "";
        }
    }

    @RestController
    static class Quick {
        @PostMapping("/quick")
        @Idempotent(store = "memory", mode = Idempotent.Mode.LEASED_HOLD)
        public String book() {
            return "";
        }
    }

    record Injected(Refrain byDefault, Refrain memory) {}

    @Configuration(proxyBeanMethods = false)
    static class MemoryBeside {
        @Bean
        MemoryStore fast() {
            return new MemoryStore();
        }

        @Bean
        Injected injected(Refrain byDefault, @Qualifier("memory") Refrain memory) {
            return new Injected(byDefault, memory);
        }
    }

    /** As a store of any other kind would be. */
    @Test
    void storeBeanWithoutJdbcHasNameAndTheDefaultStaysInTheDatabase() {
        var runner = withTwo()
                .withUserConfiguration(MemoryBeside.class)
                .withPropertyValues("refrain.stores.memory.bean=fast", "refrain.stores.memory.http-namespace=memory");
        runner.withBean(Payments.class).withBean(Quick.class).run(context -> {
            assertThat(context).hasNotFailed();
            var injected = context.getBean(Injected.class);
            assertThat(injected.byDefault()).isSameAs(context.getBean("refrain"));
            assertThat(injected.memory())
                    .isSameAs(context.getBean(RefrainStores.class).refrain("memory"))
                    .isNotSameAs(injected.byDefault());
            assertThat(context.getBean(JdbcStore.class).dataSource()).isSameAs(context.getBean("orders"));
        });
        assertRefused(runner.withBean(Forced.class))
                .hasMessageContainingAll("Forced.book is transactional", "the store memory", "leased");
    }

    @Configuration(proxyBeanMethods = false)
    static class TwoEqualDatabases {
        @Bean
        DataSource orders() {
            return database("orders");
        }

        @Bean
        DataSource bulk() {
            return database("bulk");
        }
    }

    @Test
    void allStoresMayHaveNames() {
        var runner = application.withUserConfiguration(TwoEqualDatabases.class).withPropertyValues(BULK);
        runner.withBean(Imports.class)
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(JdbcStore.class));
        assertRefused(runner.withBean(Payments.class))
                .hasMessageContainingAll(
                        "Payments.create names no store",
                        "2 DataSource beans",
                        "the store bulk",
                        "@Idempotent(store = \"bulk\")");
    }

    @RestController
    static class FlowHandler {
        @PostMapping("/orders")
        @Idempotent(store = "bulk", mode = Idempotent.Mode.FLOW)
        public String place() {
            return "";
        }
    }

    @Test
    void flowOnNamedStoreIsRefused() {
        assertRefused(withTwo().withBean(FlowHandler.class).withPropertyValues(BULK))
                .hasMessageContainingAll("FlowHandler.place runs a flow", "the store bulk", "default store");
    }

    @Test
    void flowThatSharesKeysWithOperationOnNamedStoreIsRefused() {
        assertRefused(withTwo()
                        .withBean(Loads.class)
                        .withBean(
                                "loading",
                                Flow.class,
                                () -> Flow.of("load", String.class, String.class)
                                        .phase("started", (tx, at) -> PhaseResult.finish(201, at.request()))
                                        .build())
                        .withPropertyValues(BULK))
                .hasMessageContainingAll(
                        "The namespace load has two stores", "the flow load (the default store)", "Loads.load");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "refrain.stores.bulk.data-source=blk | refrain.stores.bulk.data-source is 'blk' | bulk, orders",
                "refrain.stores.bulk.bean=fats | refrain.stores.bulk.bean is 'fats' | fast",
                "refrain.stores.bulk.http-namespace=x | must have either data-source | bean",
                "refrain.stores.bulk.bean=fast,refrain.stores.bulk.schema=x | must have either data-source | bean",
                "refrain.stores.default.data-source=bulk | refrain.stores.default | refrain.store",
            })
    void wrongSettingIsRefused(String settings, String description, String advice) {
        assertRefused(withTwo().withUserConfiguration(FastStore.class).withPropertyValues(settings.split(",")))
                .hasMessageContainingAll(description, advice);
    }

    @Configuration(proxyBeanMethods = false)
    static class FastStore {
        @Bean(defaultCandidate = false)
        MemoryStore fast() {
            return new MemoryStore();
        }
    }
}
