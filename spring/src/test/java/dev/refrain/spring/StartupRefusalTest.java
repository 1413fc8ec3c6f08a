package dev.refrain.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.refrain.OperationCall;
import dev.refrain.Refrain;
import dev.refrain.api.OperationResult;
import dev.refrain.http.edge.TransactionalRunner;
import dev.refrain.spring.method.RefrainMethodAutoConfiguration;
import dev.refrain.spring.mvc.RefrainWebMvcAutoConfiguration;
import dev.refrain.store.memory.MemoryStore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.boot.webmvc.autoconfigure.WebMvcAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Primary;
import org.springframework.stereotype.Service;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.AbstractPlatformTransactionManager;
import org.springframework.transaction.support.DefaultTransactionStatus;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

/** What is wrong shows before the first request, in one clear sentence. */
class StartupRefusalTest {

    private final WebApplicationContextRunner runner = new WebApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    RefrainAutoConfiguration.class,
                    RefrainWebMvcAutoConfiguration.class,
                    WebMvcAutoConfiguration.class))
            .withBean(MemoryStore.class, MemoryStore::new);

    @RestController
    static class Unsaid {
        @PostMapping("/payments")
        @Idempotent
        String create() {
            return "";
        }
    }

    @RestController
    static class Reading {
        @GetMapping("/payments")
        @Idempotent(mode = Idempotent.Mode.LEASED_HOLD)
        String read() {
            return "";
        }
    }

    @RestController
    static class Apart {
        @PostMapping("/payments")
        @Idempotent
        @Transactional(propagation = Propagation.REQUIRES_NEW)
        public String create() {
            return "";
        }
    }

    @RestController
    static class Other {
        @PostMapping("/payments")
        @Idempotent
        @Transactional("ledger")
        public String create() {
            return "";
        }
    }

    static class Transactions {
        @Bean
        TransactionalRunner.Factory transactions() {
            return operation -> new TransactionalRunner() {
                @Override
                public <X extends Exception> OperationResult attempt(
                        OperationCall call, TransactionalHandler<X> handler) {
                    throw new IllegalStateException("Never asked.");
                }
            };
        }
    }

    static class TwoManagers extends Transactions {
        @Bean
        @Primary
        PlatformTransactionManager main() {
            return new PseudoTransactionManager();
        }

        @Bean
        PlatformTransactionManager ledger() {
            return new PseudoTransactionManager();
        }
    }

    private static final class PseudoTransactionManager extends AbstractPlatformTransactionManager {
        private static final long serialVersionUID = 1L;

        @Override
        protected Object doGetTransaction() {
            return this;
        }

        @Override
        protected void doBegin(Object transaction, TransactionDefinition definition) {}

        @Override
        protected void doCommit(DefaultTransactionStatus status) {}

        @Override
        protected void doRollback(DefaultTransactionStatus status) {}
    }

    private static void isRefused(WebApplicationContextRunner runner, Class<?> handlers, String... because) {
        runner.withPropertyValues("refrain.scope=one-tenant")
                .withBean(handlers)
                .run(context -> assertThat(context).getFailure().hasMessageContainingAll(because));
    }

    /** Two managers are two commits. */
    @Test
    void aHandlersTransactionIsManagedByAnotherThanItsKeys() {
        isRefused(runner.withUserConfiguration(TwoManagers.class), Other.class, "Other.create", "ledger");
    }

    /** It would commit by itself, before its key. */
    @Test
    void aHandlersTransactionIsAnotherThanThatOfItsKey() {
        isRefused(runner.withUserConfiguration(Transactions.class), Apart.class, "Apart.create", "REQUIRES_NEW");
    }

    @Test
    void nobodySaysWhoseKeysTheyAre() {
        runner.run(context -> assertThat(context)
                .getFailure()
                .rootCause()
                .hasMessageContaining("refrain.scope is not set")
                .hasMessageContaining("one-tenant"));
    }

    @Test
    void aHandlerDoesNotSayHowItRuns() {
        isRefused(runner, Unsaid.class, "Unsaid.create is @Idempotent but not @Transactional", "LEASED_RESUME");
    }

    @Test
    void aHandlerOnlyReads() {
        isRefused(runner, Reading.class, "Reading.read is @Idempotent but reads only");
    }

    @Test
    void aSettingIsWrong() {
        runner.withPropertyValues("refrain.scope=everybody")
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .hasMessageContaining("refrain.scope is 'everybody', but may be principal or one-tenant."));
    }

    @Test
    void itCanBeSwitchedOff() {
        runner.withPropertyValues("refrain.enabled=false")
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(Refrain.class));
    }

    static class First {
        @Service
        static class Payments {
            @Idempotent(key = "#id", mode = Idempotent.Mode.LEASED_HOLD)
            public void pay(String id) {}
        }
    }

    static class Second {
        @Service
        static class Payments {
            @Idempotent(key = "#id", mode = Idempotent.Mode.LEASED_HOLD)
            public void pay(String id) {}
        }
    }

    /** The second would be given what the first has done, and never run. */
    @Test
    void twoMethodsWouldShareTheirKeys() {
        new ApplicationContextRunner()
                .withConfiguration(
                        AutoConfigurations.of(RefrainAutoConfiguration.class, RefrainMethodAutoConfiguration.class))
                .withBean(MemoryStore.class, MemoryStore::new)
                .withBean("first", First.Payments.class)
                .withBean("second", Second.Payments.class)
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .hasMessageContaining("Payments.pay")
                        .hasMessageContaining("@Idempotent.operation"));
    }

    @Service
    static class Finals {
        @Idempotent(key = "#id", mode = Idempotent.Mode.LEASED_HOLD)
        public final void pay(String id) {}
    }

    @Service
    static class Privates {
        @SuppressWarnings("UnusedMethod") // Who would call it, calls it here.
        @Idempotent(key = "#id", mode = Idempotent.Mode.LEASED_HOLD)
        private void pay(String id) {}
    }

    @Service
    @Idempotent(key = "#id", mode = Idempotent.Mode.LEASED_HOLD)
    static class Wholes {
        public void pay(String id) {}
    }

    /** It would run unprotected, and nobody would know. */
    @ParameterizedTest
    @ValueSource(classes = {Finals.class, Privates.class, Wholes.class})
    void nothingCanStandInFrontOfAMethod(Class<?> bean) {
        new ApplicationContextRunner()
                .withConfiguration(
                        AutoConfigurations.of(RefrainAutoConfiguration.class, RefrainMethodAutoConfiguration.class))
                .withBean(MemoryStore.class, MemoryStore::new)
                .withBean(bean)
                .run(context ->
                        assertThat(context).getFailure().rootCause().hasMessageContaining(bean.getSimpleName()));
    }
}
