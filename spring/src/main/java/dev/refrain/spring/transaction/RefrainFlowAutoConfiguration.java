package dev.refrain.spring.transaction;

import dev.refrain.Refrain;
import dev.refrain.flow.Completer;
import dev.refrain.flow.CompleterSettings;
import dev.refrain.flow.Flow;
import dev.refrain.flow.FlowRunner;
import dev.refrain.spring.RefrainAutoConfiguration;
import dev.refrain.spring.RefrainProperties;
import dev.refrain.spring.RefrainStartException;
import dev.refrain.spring.RefrainStores;
import dev.refrain.spring.StoreEncryption;
import dev.refrain.spring.internal.boot.BootNames;
import dev.refrain.spring.internal.transaction.StoreTransactionFinder;
import dev.refrain.store.jdbc.JdbcStore;
import java.sql.Connection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.stream.Stream;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.AnyNestedCondition;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Lazy;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.transaction.PlatformTransactionManager;

/**
 * Runs flows in Spring's transactions and completes those that their callers abandoned: the application's {@link Flow} beans, and those
 * that a {@link FlowContributor} adds. A {@code @Transactional} method that is called in a phase joins the phase's transaction.
 */
@AutoConfiguration(after = RefrainAutoConfiguration.class, afterName = BootNames.DATA_SOURCE_TRANSACTIONS)
@ConditionalOnClass({FlowRunner.class, DataSourceUtils.class, PlatformTransactionManager.class})
@ConditionalOnProperty(name = "refrain.enabled", matchIfMissing = true)
@ConditionalOnBean(JdbcStore.class)
public class RefrainFlowAutoConfiguration {

    /**
     * Creates the runner when it is needed: an application whose store encrypts out of Spring's sight and that has no flows needs none,
     * and this one would be refused.
     */
    @Bean
    @Lazy
    @ConditionalOnMissingBean
    FlowRunner<Connection> refrainFlows(Refrain refrain, JdbcStore store, ListableBeanFactory beans) {
        var transactions = new StoreTransactionFinder(beans)
                .find(store)
                .map(store::transactions)
                .orElseGet(store::transactions);
        return RefrainStartException.explain(
                () -> FlowRunner.on(refrain, StoreEncryption.transactions(transactions, beans)));
    }

    /** Checks that no operation on a named store shares keys with a flow, which runs on the default store. */
    @Bean
    @ConditionalOnMissingBean(name = "refrainFlowNamespaces")
    static SmartInitializingSingleton refrainFlowNamespaces(
            ObjectProvider<RefrainStores> stores,
            ObjectProvider<Flow<?, ?, Connection>> ofApplication,
            ObjectProvider<FlowContributor> contributors) {
        return () -> stores.ifAvailable(all -> all.byDefault()
                .ifPresent(store -> Stream.concat(
                                ofApplication.orderedStream(),
                                contributors.orderedStream().flatMap(contributor -> contributor.flows().stream()))
                        .forEach(flow -> all.requireOneStore(flow.namespace(), store, "the flow " + flow.name()))));
    }

    /** Creates the completer. It closes before Refrain, which then waits for flows in progress. */
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
        return RefrainStartException.explain(() -> flows.startCompleter(
                new CompleterSettings(
                        settings.interval(),
                        settings.gracePeriod(),
                        settings.firstBackoff(),
                        settings.maxAttempts(),
                        settings.maxConcurrent()),
                List.copyOf(all)));
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
