package dev.refrain.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.refrain.spring.method.RefrainMethodAutoConfiguration;
import dev.refrain.store.memory.MemoryStore;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionTemplate;

/** Tests leased methods in a transaction that is not a database's, such as MongoDB's, in an application that has no {@code spring-jdbc}. */
class LeasedInOpenTransactionTest {

    static class Ledger {
        @Idempotent(key = "#id", mode = Idempotent.Mode.LEASED_HOLD)
        @Transactional
        public String enter(String id) {
            return "entered";
        }

        @Idempotent(key = "#id", mode = Idempotent.Mode.LEASED_HOLD)
        @Transactional(propagation = Propagation.REQUIRES_NEW)
        public String enterApart(String id) {
            return "entered apart";
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableTransactionManagement
    @ImportAutoConfiguration({RefrainAutoConfiguration.class, RefrainMethodAutoConfiguration.class})
    static class Application {
        @Bean
        MemoryStore store() {
            return new MemoryStore();
        }

        @Bean
        PlatformTransactionManager transactionManager() {
            return new PseudoTransactionManager();
        }

        @Bean
        Ledger ledger() {
            return new Ledger();
        }

        public static void main(String[] arguments) {
            try (var context = new AnnotationConfigApplicationContext(BootParts.JACKSON, Application.class)) {
                var ledger = context.getBean(Ledger.class);
                var outer = new TransactionTemplate(context.getBean(PlatformTransactionManager.class));
                try {
                    print(outer.execute(status -> ledger.enter("1")));
                } catch (IllegalStateException refused) {
                    print(refused.getMessage());
                }
                print(ledger.enter("1"));
                print(outer.execute(status -> ledger.enterApart("1")));
            }
        }

        @SuppressWarnings("SystemOut")
        private static void print(Object line) {
            System.out.println("-> " + line);
        }
    }

    @Test
    void leasedMethodIsRefusedInAnOpenTransactionThoughThereIsNoSpringJdbc() throws Exception {
        String said = ApplicationProcess.output(Application.class, jar -> !jar.startsWith("spring-jdbc"));

        assertThat(said.lines().filter(line -> line.startsWith("-> ")))
                .satisfiesExactly(
                        refusal -> assertThat(refusal)
                                .startsWith("-> Ledger.enter is @Idempotent, leased and @Transactional")
                                .endsWith("Nothing ran."),
                        outside -> assertThat(outside).isEqualTo("-> entered"),
                        apart -> assertThat(apart).isEqualTo("-> entered apart"));
    }
}
