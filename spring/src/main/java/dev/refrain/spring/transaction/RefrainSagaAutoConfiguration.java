package dev.refrain.spring.transaction;

import dev.refrain.BackgroundWorker;
import dev.refrain.console.SagaSection;
import dev.refrain.flow.Flow;
import dev.refrain.flow.FlowRunner;
import dev.refrain.saga.Saga;
import dev.refrain.saga.SagaRunner;
import dev.refrain.spring.RefrainAutoConfiguration;
import dev.refrain.spring.RefrainProperties;
import dev.refrain.store.jdbc.JdbcStore;
import java.sql.Connection;
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
 * Looks after the application's {@link Saga} beans: the completer finishes the abandoned ones, overdue ones are reported, and the console
 * shows them. Needs {@code refrain-saga} on the class path.
 */
@AutoConfiguration(after = RefrainAutoConfiguration.class, before = RefrainFlowAutoConfiguration.class)
@ConditionalOnClass({SagaRunner.class, DataSourceUtils.class, PlatformTransactionManager.class})
@ConditionalOnProperty(name = "refrain.enabled", matchIfMissing = true)
@ConditionalOnBean({JdbcStore.class, Saga.class})
public class RefrainSagaAutoConfiguration {

    /** Runs sagas. */
    @Bean
    @ConditionalOnMissingBean
    SagaRunner<Connection> refrainSagaRunner(FlowRunner<Connection> flows) {
        return SagaRunner.on(flows);
    }

    /** Has the completer finish sagas whose callers are gone. */
    @Bean
    @ConditionalOnMissingBean(name = "refrainSagaFlows")
    FlowContributor refrainSagaFlows(ObjectProvider<Saga<?, Connection>> ofApplication) {
        return () -> ofApplication
                .orderedStream()
                .<Flow<?, ?, Connection>>map(Saga::asFlow)
                .toList();
    }

    /** Shows sagas in the console, if it is enabled. */
    @Bean
    @ConditionalOnMissingBean
    @ConditionalOnProperty(name = "refrain.console.enabled", havingValue = "true")
    SagaSection<Connection> refrainSagaSection(
            SagaRunner<Connection> sagas, ObjectProvider<Saga<?, Connection>> ofApplication) {
        return new SagaSection<>(sagas, ofApplication.orderedStream().toList());
    }

    /** Reports overdue sagas, as often as the completer polls. */
    @Bean(destroyMethod = "close")
    @ConditionalOnMissingBean(name = "refrainOverdueSagas")
    BackgroundWorker refrainOverdueSagas(
            SagaRunner<Connection> sagas,
            ObjectProvider<Saga<?, Connection>> ofApplication,
            RefrainProperties properties) {
        return sagas.startOverdueMonitor(
                properties.completer().interval(), ofApplication.orderedStream().toList());
    }
}
