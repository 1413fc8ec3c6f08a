package dev.refrain.spring.transaction;

import dev.refrain.Refrain;
import dev.refrain.flow.Completer;
import dev.refrain.flow.CompleterSettings;
import dev.refrain.flow.Flow;
import dev.refrain.flow.FlowRunner;
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
 * Runs flows in Spring's transactions and completes those that their callers abandoned: the application's {@link Flow} beans, and those
 * that a {@link FlowContributor} adds. A {@code @Transactional} method that is called in a phase joins the phase's transaction.
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
            ObjectProvider<DataSource> sources) {
        var transactions = SpringTransactionSource.findIn(managers, sources)
                .map(store::transactions)
                .orElseGet(store::transactions);
        return FlowRunner.on(refrain, transactions);
    }

    /** Closed before Refrain, which then waits for what it began. */
    @Bean(destroyMethod = "close")
    @ConditionalOnMissingBean
    @Conditional(FlowsToCompleteCondition.class)
    @ConditionalOnProperty(name = "refrain.completer.enabled", matchIfMissing = true)
    Completer refrainCompleter(
            FlowRunner<Connection> flows,
            ObjectProvider<Flow<?, ?, Connection>> ofApplication,
            ObjectProvider<FlowContributor> contributors,
            RefrainProperties properties) {
        var settings = properties.completer();
        // A saga's flow may also be a bean of its own.
        var all = new LinkedHashSet<Flow<?, ?, Connection>>(
                ofApplication.orderedStream().toList());
        contributors.orderedStream().forEach(contributor -> all.addAll(contributor.flows()));
        return flows.startCompleter(
                new CompleterSettings(
                        settings.every(), settings.grace(), settings.pause(), settings.attempts(), settings.atOnce()),
                List.copyOf(all));
    }

    /** Matches if the application has flows that a completer can take over. */
    static final class FlowsToCompleteCondition extends AnyNestedCondition {

        FlowsToCompleteCondition() {
            super(ConfigurationPhase.REGISTER_BEAN);
        }

        @ConditionalOnBean(Flow.class)
        static class OnFlow {}

        @ConditionalOnBean(FlowContributor.class)
        static class OnContributor {}
    }
}
