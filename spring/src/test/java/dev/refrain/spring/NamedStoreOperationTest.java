package dev.refrain.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.refrain.Refrain;
import dev.refrain.api.LeaseExpiryPolicy;
import dev.refrain.store.memory.MemoryStore;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicReference;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.beans.factory.InitializingBean;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.test.context.assertj.AssertableWebApplicationContext;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.stereotype.Service;

/** Operations that code makes on injected Refrains: a namespace has one store for them too. */
class NamedStoreOperationTest {

    @TempDir
    static Path directory;

    private final WebApplicationContextRunner application = SqliteApplication.runner()
            .withUserConfiguration(DatabaseAndMemory.class)
            .withPropertyValues(
                    "refrain.stores.bulk.bean=bulkStore",
                    "refrain.stores.bulk.http-namespace=bulk",
                    "refrain.stores.quick.bean=quickStore",
                    "refrain.stores.quick.http-namespace=quick");

    @Configuration(proxyBeanMethods = false)
    static class DatabaseAndMemory {
        @Bean
        DataSource orders() {
            return SqliteApplication.database(directory, "operations");
        }

        @Bean
        MemoryStore bulkStore() {
            return new MemoryStore();
        }

        @Bean
        MemoryStore quickStore() {
            return new MemoryStore();
        }
    }

    private static void make(Refrain refrain, String name, String namespace) {
        refrain.operation(name, String.class).namespace(namespace).leased(LeaseExpiryPolicy.RESUME);
    }

    private static Refrain bulk(AssertableWebApplicationContext context) {
        return context.getBean(RefrainStores.class).refrain("bulk");
    }

    @Test
    void operationsOfTwoStoresInOneNamespaceAreRefusedWithBothStores() {
        application.run(context -> {
            assertThat(context).hasNotFailed();
            make(bulk(context), "imports", "loads");

            assertThatThrownBy(() -> make(context.getBean(Refrain.class), "uploads", "loads"))
                    .isInstanceOf(RefrainStartException.class)
                    .hasMessageContainingAll(
                            "The namespace loads has two stores",
                            "the operation imports (the store bulk)",
                            "the operation uploads (the default store)",
                            "a key that is used for both would run twice",
                            "Use the same store for both",
                            ".namespace(");
            assertThatThrownBy(() -> make(context.getBean("refrain-quick", Refrain.class), "imports", "loads"))
                    .hasMessageContainingAll("(the store bulk)", "(the store quick)");
        });
    }

    @Test
    void operationsOfOneStoreShareNamespaceAndThoseOfTwoHaveTheirOwn() {
        application.run(context -> {
            make(bulk(context), "imports", "loads");
            assertThatCode(() -> {
                        make(bulk(context), "imports", "loads");
                        make(context.getBean("refrain-bulk", Refrain.class), "exports", "loads");
                        make(context.getBean(Refrain.class), "imports", "imports");
                    })
                    .doesNotThrowAnyException();
        });
    }

    /** Its operations are made when it is, before handlers and methods are looked at. */
    static class EarlyImports implements InitializingBean {
        private final Refrain refrain;

        EarlyImports(Refrain refrain) {
            this.refrain = refrain;
        }

        @Override
        public void afterPropertiesSet() {
            make(refrain, "imports", "imports");
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class EarlyOnBulk {
        @Bean
        EarlyImports earlyImports(@Qualifier("bulk") Refrain refrain) {
            return new EarlyImports(refrain);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class EarlyOnDefault {
        @Bean
        EarlyImports earlyImportsOfDefault(Refrain refrain) {
            return new EarlyImports(refrain);
        }
    }

    @Service
    static class ImportMethod {
        @Idempotent(key = "#id", mode = Idempotent.Mode.LEASED_RESUME, operation = "imports")
        public String load(String id) {
            return "loaded";
        }
    }

    private static Throwable failureOf(WebApplicationContextRunner runner) {
        var failure = new AtomicReference<Throwable>();
        runner.run(context -> failure.set(context.getStartupFailure()));
        assertThat(failure.get()).as("failure of the start").isNotNull();
        return NestedExceptionUtils.getMostSpecificCause(failure.get());
    }

    @Test
    void startIsRefusedIfBeansMakeOperationsOfTwoStoresInOneNamespace() {
        assertThat(failureOf(application.withUserConfiguration(EarlyOnBulk.class, EarlyOnDefault.class)))
                .isInstanceOf(RefrainStartException.class)
                .hasMessageContainingAll("The namespace imports has two stores", "the store bulk", "the default store");
    }

    @Test
    void startIsRefusedIfOperationInCodeSharesNamespaceWithMethodOnAnotherStore() {
        assertThat(failureOf(
                        application.withUserConfiguration(EarlyOnBulk.class).withBean(ImportMethod.class)))
                .isInstanceOf(RefrainStartException.class)
                .hasMessageContainingAll(
                        "The namespace imports has two stores",
                        "the operation imports (the store bulk)",
                        "ImportMethod.load (the default store)");
    }

    @Test
    void methodIsNamedRatherThanOperationThatCodeMadeOnItsStore() {
        application
                .withUserConfiguration(EarlyOnDefault.class)
                .withBean(ImportMethod.class)
                .run(context -> assertThatThrownBy(() -> make(bulk(context), "imports", "imports"))
                        .hasMessageContaining("ImportMethod.load (the default store)"));
    }

    @Test
    void nextContextOfTheSameProcessBeginsAfresh() {
        application.run(context -> make(bulk(context), "imports", "loads"));
        application.run(context -> assertThatCode(() -> make(context.getBean(Refrain.class), "imports", "loads"))
                .doesNotThrowAnyException());
    }

    @Test
    void namespacesBeyondTheLimitAreNotHeldButHeldOnesAreStillChecked() {
        var registry = new NamespaceRegistry();
        var onBulk = registry.checkFor("bulk");
        var onQuick = registry.checkFor("quick");
        for (int i = 0; i < NamespaceRegistry.MAX_NAMESPACES; i++) {
            onBulk.check("tenant-" + i, "imports");
        }
        onBulk.check("one-more", "imports");

        assertThatCode(() -> onQuick.check("one-more", "imports")).doesNotThrowAnyException();
        assertThatThrownBy(() -> onQuick.check("tenant-0", "imports")).isInstanceOf(RefrainStartException.class);
    }
}
