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
import dev.refrain.recover.Worker;
import dev.refrain.store.jdbc.JdbcStore;
import java.sql.Connection;
import java.util.LinkedHashSet;
import java.util.List;
import javax.sql.DataSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.AnyNestedCondition;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.transaction.PlatformTransactionManager;

/**
 * Runs flows in Spring's transactions, and finishes those of the application's {@link Flow} and {@link Saga} beans that their callers left.
 * What is {@code @Transactional} in a phase takes part in it.
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
        var transactions = SpringTransactions.findIn(managers, sources)
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

    /** Reports those that take too long, as often as the completer looks. */
    @Bean(destroyMethod = "close")
    @ConditionalOnMissingBean(name = "refrainOverdueSagas")
    @ConditionalOnBean(Saga.class)
    Worker refrainOverdueSagas(
            Flows<Connection> flows, ObjectProvider<Saga<?, Connection>> ofApplication, RefrainProperties properties) {
        return Sagas.on(flows)
                .startOverdueMonitor(
                        properties.completer().every(),
                        ofApplication.orderedStream().toList());
    }

    /** Closed before Refrain, which then waits for what it began. */
    @Bean(destroyMethod = "close")
    @ConditionalOnMissingBean
    @Conditional(OnFlowOrSaga.class)
    @ConditionalOnProperty(name = "refrain.completer.enabled", matchIfMissing = true)
    Completer refrainCompleter(
            Flows<Connection> flows,
            ObjectProvider<Flow<?, Connection>> ofApplication,
            ObjectProvider<Saga<?, Connection>> sagas,
            RefrainProperties properties) {
        var settings = properties.completer();
        // A saga's flow may be a bean beside it.
        var all = new LinkedHashSet<Flow<?, Connection>>(
                ofApplication.orderedStream().toList());
        sagas.orderedStream().map(Saga::asFlow).forEach(all::add);
        return flows.startCompleter(
                new Completion(
                        settings.every(), settings.grace(), settings.pause(), settings.attempts(), settings.atOnce()),
                List.copyOf(all));
    }

    /** There is something to finish. */
    static final class OnFlowOrSaga extends AnyNestedCondition {

        OnFlowOrSaga() {
            super(ConfigurationPhase.REGISTER_BEAN);
        }

        @ConditionalOnBean(Flow.class)
        static class OnFlow {}

        @ConditionalOnBean(Saga.class)
        static class OnSaga {}
    }
}
