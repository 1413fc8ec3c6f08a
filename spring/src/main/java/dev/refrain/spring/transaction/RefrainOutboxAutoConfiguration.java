package dev.refrain.spring.transaction;

import dev.refrain.Refrain;
import dev.refrain.outbox.Outbox;
import dev.refrain.outbox.Relay;
import dev.refrain.spring.RefrainAutoConfiguration;
import dev.refrain.spring.RefrainProperties;
import dev.refrain.spring.RefrainStartException;
import dev.refrain.spring.RelayCustomizer;
import dev.refrain.spring.StoreEncryption;
import dev.refrain.spring.internal.boot.BootNames;
import dev.refrain.spring.internal.transaction.StoreTransactionFinder;
import dev.refrain.store.jdbc.JdbcStore;
import dev.refrain.store.outbox.OutboxStore;
import java.sql.Connection;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Lazy;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.transaction.PlatformTransactionManager;

/**
 * Configures an outbox that stages messages in Spring's transactions, and a relay that delivers them to the targets of the {@link
 * RelayCustomizer} beans.
 */
@AutoConfiguration(after = RefrainAutoConfiguration.class, afterName = BootNames.DATA_SOURCE_TRANSACTIONS)
@ConditionalOnClass({Outbox.class, DataSourceUtils.class, PlatformTransactionManager.class})
@ConditionalOnProperty(name = "refrain.enabled", matchIfMissing = true)
@ConditionalOnBean(JdbcStore.class)
public class RefrainOutboxAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean
    OutboxStore<Connection> refrainOutboxStore(JdbcStore store, ListableBeanFactory beans) {
        var plain =
                new StoreTransactionFinder(beans).find(store).map(store::outbox).orElseGet(store::outbox);
        return StoreEncryption.of(beans)
                .map(encryption -> encryption.outbox(plain))
                .orElse(plain);
    }

    /**
     * Creates the outbox when it is needed: an application whose store encrypts out of Spring's sight and that has no messages needs
     * none, and this one would be refused.
     */
    @Bean
    @Lazy
    @ConditionalOnMissingBean
    Outbox<Connection> refrainOutbox(Refrain refrain, OutboxStore<Connection> store, RefrainProperties properties) {
        return RefrainStartException.explain(() -> Outbox.on(refrain, store)
                .maxBodyBytes(Math.toIntExact(properties.outbox().maxBodyBytes().toBytes())));
    }

    @Bean
    @Lazy
    @ConditionalOnMissingBean
    TransactionalOutbox refrainTransactionalOutbox(
            Outbox<Connection> outbox, JdbcStore store, ListableBeanFactory beans) {
        return new TransactionalOutbox(
                outbox, new StoreTransactionFinder(beans).dataSourceOf(store).orElseGet(store::dataSource));
    }

    @Bean
    @ConditionalOnMissingBean({Relay.class, RelayLifecycle.class})
    @ConditionalOnBean(RelayCustomizer.class)
    @ConditionalOnProperty(name = "refrain.relay.enabled", matchIfMissing = true)
    RelayLifecycle refrainRelay(
            Refrain refrain,
            OutboxStore<Connection> store,
            ObjectProvider<RelayCustomizer> customizers,
            RefrainProperties properties) {
        var settings = properties.relay();
        var relay = RefrainStartException.explain(() -> Relay.on(refrain, store).pollInterval(settings.pollInterval()));
        customizers
                .orderedStream()
                .forEach(customizer -> RefrainStartException.explain(() -> {
                    customizer.customize(relay);
                    return relay;
                }));
        return new RelayLifecycle(relay, settings.closeTimeout());
    }
}
