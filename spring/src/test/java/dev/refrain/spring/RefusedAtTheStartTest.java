package dev.refrain.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.refrain.Call;
import dev.refrain.Refrain;
import dev.refrain.http.Transactor;
import dev.refrain.run.RunResult;
import dev.refrain.store.memory.MemoryStore;
import org.junit.jupiter.api.Test;
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
class RefusedAtTheStartTest {

    private final WebApplicationContextRunner runner = new WebApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    RefrainAutoConfiguration.class,
                    RefrainWebMvcAutoConfiguration.class,
                    WebMvcAutoConfiguration.class))
            .withBean(MemoryStore.class, MemoryStore::new);

    static class Unsaid {
        @RestController
        static class Handlers {
            @PostMapping("/payments")
            @Idempotent
            String create() {
                return "";
            }
        }

        @Bean
        Handlers handlers() {
            return new Handlers();
        }
    }

    static class Reading {
        @RestController
        static class Handlers {
            @GetMapping("/payments")
            @Idempotent(mode = Idempotent.Mode.LEASED_HOLD)
            String read() {
                return "";
            }
        }

        @Bean
        Handlers handlers() {
            return new Handlers();
        }
    }

    static class Apart {
        @RestController
        static class Handlers {
            @PostMapping("/payments")
            @Idempotent
            @Transactional(propagation = Propagation.REQUIRES_NEW)
            public String create() {
                return "";
            }
        }

        @Bean
        Handlers handlers() {
            return new Handlers();
        }

        @Bean
        Transactor.Maker transactions() {
            return operation -> new Transactor() {
                @Override
                public <X extends Exception> RunResult attempt(Call call, Handler<X> handler) {
                    throw new IllegalStateException("Never asked.");
                }
            };
        }
    }

    static class Other {
        @RestController
        static class Handlers {
            @PostMapping("/payments")
            @Idempotent
            @Transactional("ledger")
            public String create() {
                return "";
            }
        }

        @Bean
        Handlers handlers() {
            return new Handlers();
        }

        @Bean
        Transactor.Maker transactions() {
            return new Apart().transactions();
        }

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

    /** Two managers are two commits. */
    @Test
    void aHandlersTransactionIsManagedByAnotherThanItsKeys() {
        runner.withPropertyValues("refrain.scope=one-tenant")
                .withUserConfiguration(Other.class)
                .run(context -> assertThat(context)
                        .getFailure()
                        .hasMessageContaining("Handlers.create")
                        .hasMessageContaining("ledger"));
    }

    /** It would commit by itself, before its key. */
    @Test
    void aHandlersTransactionIsAnotherThanThatOfItsKey() {
        runner.withPropertyValues("refrain.scope=one-tenant")
                .withUserConfiguration(Apart.class)
                .run(context -> assertThat(context)
                        .getFailure()
                        .hasMessageContaining("Handlers.create")
                        .hasMessageContaining("REQUIRES_NEW"));
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
        runner.withPropertyValues("refrain.scope=one-tenant")
                .withUserConfiguration(Unsaid.class)
                .run(context -> assertThat(context)
                        .getFailure()
                        .hasMessageContaining("Handlers.create is @Idempotent but not @Transactional")
                        .hasMessageContaining("LEASED_RESUME"));
    }

    @Test
    void aHandlerOnlyReads() {
        runner.withPropertyValues("refrain.scope=one-tenant")
                .withUserConfiguration(Reading.class)
                .run(context -> assertThat(context)
                        .getFailure()
                        .hasMessageContaining("Handlers.read is @Idempotent but reads only"));
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
}
