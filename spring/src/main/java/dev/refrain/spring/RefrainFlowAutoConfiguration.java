package dev.refrain.spring;

import dev.refrain.Refrain;
import dev.refrain.console.SagaSection;
import dev.refrain.flow.Completer;
import dev.refrain.flow.Completion;
import dev.refrain.flow.Flow;
import dev.refrain.flow.Flows;
import dev.refrain.flow.saga.Saga;
import dev.refrain.flow.saga.Sagas;
import dev.refrain.outcome.Codec;
import dev.refrain.store.jdbc.JdbcStore;
import java.sql.Connection;
import javax.sql.DataSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.transaction.PlatformTransactionManager;

/**
 * Runs flows in Spring's transactions, and finishes those of the application's {@link Flow} beans that their callers left. What is {@code
 * @Transactional} in a phase takes part in it.
 */
@AutoConfiguration(
        after = RefrainAutoConfiguration.class,
        afterName = "org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration")
@ConditionalOnClass({Flows.class, DataSourceUtils.class, PlatformTransactionManager.class})
@ConditionalOnProperty(name = "refrain.enabled", matchIfMissing = true)
@ConditionalOnBean(JdbcStore.class)
public class RefrainFlowAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean
    Flows<Connection> refrainFlows(
            Refrain refrain,
            JdbcStore store,
            ObjectProvider<PlatformTransactionManager> managers,
            ObjectProvider<DataSource> sources,
            ObjectProvider<Codec> codecs) {
        var transactions = SpringTransactions.among(managers, sources)
                .map(store::transactions)
                .orElseGet(store::transactions);
        return Flows.on(refrain, transactions, codecs.getIfAvailable(Codec::standard));
    }

    /** In the console, where there is one. */
    @Bean
    @ConditionalOnMissingBean
    @ConditionalOnBean(Saga.class)
    @ConditionalOnProperty(name = "refrain.console.enabled", havingValue = "true")
    SagaSection<Connection> refrainSagaSection(
            Flows<Connection> flows, ObjectProvider<Saga<?, Connection>> ofApplication) {
        return new SagaSection<>(Sagas.on(flows), ofApplication.orderedStream().toList());
    }

    /** Closed before Refrain, which then waits for what it began. */
    @Bean(destroyMethod = "close")
    @ConditionalOnMissingBean
    @ConditionalOnBean(Flow.class)
    @ConditionalOnProperty(name = "refrain.completer.enabled", matchIfMissing = true)
    Completer refrainCompleter(
            Flows<Connection> flows, ObjectProvider<Flow<?, Connection>> ofApplication, RefrainProperties properties) {
        var settings = properties.completer();
        return flows.completer(
                new Completion(
                        settings.every(), settings.grace(), settings.pause(), settings.attempts(), settings.atOnce()),
                ofApplication.orderedStream().toList());
    }
}
