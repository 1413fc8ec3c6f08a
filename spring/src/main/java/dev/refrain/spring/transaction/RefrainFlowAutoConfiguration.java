package dev.refrain.spring.transaction;

import dev.refrain.BackgroundWorker;
import dev.refrain.Refrain;
import dev.refrain.ValueCodec;
import dev.refrain.console.SagaSection;
import dev.refrain.flow.Completer;
import dev.refrain.flow.CompleterSettings;
import dev.refrain.flow.Flow;
import dev.refrain.flow.FlowRunner;
import dev.refrain.saga.Saga;
import dev.refrain.saga.SagaRunner;
import dev.refrain.spring.RefrainAutoConfiguration;
import dev.refrain.spring.RefrainProperties;
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
@ConditionalOnClass({FlowRunner.class, DataSourceUtils.class, PlatformTransactionManager.class})
@ConditionalOnProperty(name = "refrain.enabled", matchIfMissing = true)
@ConditionalOnBean(JdbcStore.class)
public class RefrainFlowAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean
    FlowRunner<Connection> refrainFlows(
            Refrain refrain,
            JdbcStore store,
            ObjectProvider<PlatformTransactionManager> managers,
            ObjectProvider<DataSource> sources,
            ObjectProvider<ValueCodec> codecs) {
        var transactions = SpringTransactionSource.findIn(managers, sources)
                .map(store::transactions)
                .orElseGet(store::transactions);
        return FlowRunner.on(refrain, transactions, codecs.getIfAvailable(ValueCodec::standard));
    }

    /** In the console, where there is one. */
    @Bean
    @ConditionalOnMissingBean
    @ConditionalOnBean(Saga.class)
    @ConditionalOnProperty(name = "refrain.console.enabled", havingValue = "true")
    SagaSection<Connection> refrainSagaSection(
            FlowRunner<Connection> flows, ObjectProvider<Saga<?, Connection>> ofApplication) {
        return new SagaSection<>(
                SagaRunner.on(flows), ofApplication.orderedStream().toList());
    }

    /** Reports those that take too long, as often as the completer looks. */
    @Bean(destroyMethod = "close")
    @ConditionalOnMissingBean(name = "refrainOverdueSagas")
    @ConditionalOnBean(Saga.class)
    BackgroundWorker refrainOverdueSagas(
            FlowRunner<Connection> flows,
            ObjectProvider<Saga<?, Connection>> ofApplication,
            RefrainProperties properties) {
        return SagaRunner.on(flows)
                .startOverdueMonitor(
                        properties.completer().every(),
                        ofApplication.orderedStream().toList());
    }

    /** Closed before Refrain, which then waits for what it began. */
    @Bean(destroyMethod = "close")
    @ConditionalOnMissingBean
    @Conditional(FlowOrSagaCondition.class)
    @ConditionalOnProperty(name = "refrain.completer.enabled", matchIfMissing = true)
    Completer refrainCompleter(
            FlowRunner<Connection> flows,
            ObjectProvider<Flow<?, Connection>> ofApplication,
            ObjectProvider<Saga<?, Connection>> sagas,
            RefrainProperties properties) {
        var settings = properties.completer();
        // A saga's flow may be a bean beside it.
        var all = new LinkedHashSet<Flow<?, Connection>>(
                ofApplication.orderedStream().toList());
        sagas.orderedStream().map(Saga::asFlow).forEach(all::add);
        return flows.startCompleter(
                new CompleterSettings(
                        settings.every(), settings.grace(), settings.pause(), settings.attempts(), settings.atOnce()),
                List.copyOf(all));
    }

    /** There is something to finish. */
    static final class FlowOrSagaCondition extends AnyNestedCondition {

        FlowOrSagaCondition() {
            super(ConfigurationPhase.REGISTER_BEAN);
        }

        @ConditionalOnBean(Flow.class)
        static class OnFlow {}

        @ConditionalOnBean(Saga.class)
        static class OnSaga {}
    }
}
