package dev.refrain.spring.test;

import dev.refrain.LeasedOperation;
import dev.refrain.OperationCall;
import dev.refrain.api.LeaseExpiryPolicy;
import dev.refrain.api.OperationResult;
import dev.refrain.api.Outcome;
import dev.refrain.http.edge.TransactionalRunner;
import dev.refrain.store.Store;
import dev.refrain.store.memory.MemoryStore;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/** Configures a store in memory before the starter looks for a database. A {@code Store} bean of the application stays. */
@AutoConfiguration(beforeName = "dev.refrain.spring.RefrainAutoConfiguration")
public class RefrainTestAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean
    ManualStoreClock refrainTestClock() {
        return new ManualStoreClock();
    }

    @Bean
    @ConditionalOnMissingBean(Store.class)
    MemoryStore refrainTestStore(ManualStoreClock clock) {
        return new MemoryStore(clock);
    }

    /** Creates what stands for transactions with the store in memory. */
    @Bean
    @ConditionalOnBean(MemoryStore.class)
    @ConditionalOnMissingBean
    TransactionalRunner.Factory refrainTestTransactions() {
        return operation -> new LeasedRunner(operation.leased(LeaseExpiryPolicy.RESUME));
    }

    private record LeasedRunner(LeasedOperation<Outcome.Answer> operation) implements TransactionalRunner {
        @Override
        public <X extends Exception> OperationResult attempt(OperationCall call, TransactionalHandler<X> handler)
                throws X {
            return operation.runForResult(call, handler::run);
        }
    }
}
