package dev.refrain.spring;

import dev.refrain.Refrain;
import dev.refrain.ValueCodec;
import dev.refrain.http.edge.BufferBudget;
import dev.refrain.http.edge.RouteProtection;
import dev.refrain.observe.RefrainListener;
import dev.refrain.observe.TraceIdSource;
import dev.refrain.spring.internal.boot.BootNames;
import dev.refrain.store.Store;
import dev.refrain.store.jdbc.JdbcStore;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.AnyNestedCondition;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.env.Environment;

/**
 * Configures the store in the application's database and Refrain on top of it. Every bean backs off if the application defines
 * its own.
 */
@AutoConfiguration(afterName = {BootNames.DATA_SOURCE, BootNames.JACKSON, BootNames.FLYWAY, BootNames.LIQUIBASE})
@ConditionalOnProperty(name = "refrain.enabled", matchIfMissing = true)
@EnableConfigurationProperties(RefrainProperties.class)
@Import({ApplicationCodecConfiguration.class, StoreUrlConfiguration.class})
public class RefrainAutoConfiguration {

    /** Registers the named stores before the default one, which must not take one of them for itself. */
    @Configuration(proxyBeanMethods = false)
    @Import(NamedStoreRegistrar.class)
    static class NamedStoreConfiguration {}

    /** Chooses the connections of the store, unless the application defines a store itself. */
    @Bean
    @ConditionalOnMissingBean({Store.class, StoreConnectionPool.class})
    @Conditional(StoreDataSourceCondition.class)
    StoreConnectionPool refrainStoreConnections(
            ConfigurableListableBeanFactory beans, Environment environment, RefrainProperties properties) {
        String dataSource = StoreDataSourceChoice.require(beans, environment);
        return StoreConnectionPool.of(
                StorePlace.ofDefault(dataSource),
                StoreDataSourceChoice.require(
                        beans, StoreDataSourceChoice.PROPERTY, dataSource, "refrainStoreConnections"),
                properties.store().connections(),
                properties.relay().enabled() && beans.getBeanNamesForType(RelayCustomizer.class).length > 0,
                0);
    }

    @Bean
    @ConditionalOnMissingBean(Store.class)
    @ConditionalOnBean(StoreConnectionPool.class)
    JdbcStore refrainStore(StoreConnectionPool connections, RefrainProperties properties) {
        return connections.open(properties.store(), properties.console().enabled());
    }

    /**
     * Creates Refrain. It closes before the store and finishes or releases running work, so that a deployment leaves no claims
     * behind.
     */
    @Bean(destroyMethod = "close")
    @ConditionalOnMissingBean
    @ConditionalOnBean(Store.class)
    Refrain refrain(
            ObjectProvider<Store> stores, ListableBeanFactory beans, RefrainFactory refrains, ReplaySource replays) {
        var store = StoreEncryption.of(beans)
                .map(StoreEncryption::store)
                .or(() -> Optional.ofNullable(stores.getIfUnique()).map(replays::before))
                .orElse(null);
        if (store == null) {
            throw new RefrainStartException(
                    "The application has several Store beans, and nothing says which of them holds the keys: "
                            + String.join(", ", new TreeSet<>(Set.of(beans.getBeanNamesForType(Store.class)))) + ".",
                    "Mark one of them with @Primary, and give the others names for operations that say which: refrain.stores.<name>.bean=<Store bean>."
                            + " A namespace has one store: two routes that share keys must see each other's.");
        }
        return refrains.create(store, OperationStore.DEFAULT);
    }

    /** Puts the Redis of {@code refrain.store.replay-from} in front of the default store. */
    @Bean(destroyMethod = "close")
    @ConditionalOnMissingBean
    ReplaySource refrainReplaySource(RefrainProperties properties) {
        return new ReplaySource(properties.store().replayFrom());
    }

    @Bean
    @ConditionalOnMissingBean
    RefrainFactory refrainFactory(
            RefrainProperties properties,
            ObjectProvider<RefrainListener> listeners,
            ObjectProvider<ValueCodec> codecs,
            ObjectProvider<TraceIdSource> traceIds,
            ObjectProvider<StoreEncryptor> encryptors) {
        return new RefrainFactory(properties, listeners, codecs, traceIds, encryptors);
    }

    /** Opens the stores of {@code refrain.stores} and lists all stores. */
    @Bean
    @ConditionalOnMissingBean
    @Conditional(AnyStoreCondition.class)
    RefrainStores refrainStores(
            ObjectProvider<Refrain> byDefault,
            ObjectProvider<Store> stores,
            ObjectProvider<JdbcStore> jdbcStores,
            RefrainFactory refrains,
            RefrainProperties properties,
            ConfigurableListableBeanFactory beans,
            Environment environment) {
        var opener = new NamedStoreOpener(beans, properties, refrains::create, "refrainStores");
        // A Refrain bean of the application's own was not made by the factory.
        byDefault.ifUnique(
                refrain -> refrains.requireEncryption(refrain.admin().storeTraits(), OperationStore.DEFAULT));
        // Where one store wraps another, the inner one knows the transactions.
        var unnamed = Optional.ofNullable(byDefault.getIfUnique())
                .map(refrain -> new OperationStore(
                        "",
                        Optional.<Store>ofNullable(jdbcStores.getIfUnique())
                                .or(() -> Optional.ofNullable(stores.getIfUnique())),
                        StoreEncryption.of(beans),
                        refrain,
                        RouteProtection.NAMESPACE));
        String missingDefault =
                StoreDataSourceChoice.of(beans, environment) instanceof StoreDataSourceChoice.Undecided undecided
                        ? undecided.sentence()
                        : "";
        return new RefrainStores(unnamed, opener.open(), opener, missingDefault, refrains.namespaces());
    }

    /** Matches if there is a default store or a named one. */
    static final class AnyStoreCondition extends AnyNestedCondition {

        AnyStoreCondition() {
            super(ConfigurationPhase.REGISTER_BEAN);
        }

        @ConditionalOnBean(Refrain.class)
        static class OnDefaultStore {}

        @Conditional(NamedStoreCondition.class)
        static class OnNamedStore {}
    }

    /** Creates the memory for bodies that all handlers share. */
    @Bean
    @ConditionalOnMissingBean
    BufferBudget refrainBufferBudget(RefrainProperties properties) {
        var max = properties.maxBufferedBytes();
        return max == null ? BufferBudget.ofHeap() : BufferBudget.of(max.toBytes());
    }

    @Bean
    @ConditionalOnMissingBean(name = "refrainUnprotectedRetries")
    UnprotectedRetryDetector refrainUnprotectedRetries(ConfigurableListableBeanFactory beans) {
        return new UnprotectedRetryDetector(beans);
    }
}
