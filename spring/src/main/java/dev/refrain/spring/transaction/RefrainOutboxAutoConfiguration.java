package dev.refrain.spring.transaction;

import dev.refrain.Refrain;
import dev.refrain.outbox.Outbox;
import dev.refrain.outbox.Relay;
import dev.refrain.spring.RefrainAutoConfiguration;
import dev.refrain.spring.RefrainProperties;
import dev.refrain.spring.RelayCustomizer;
import dev.refrain.store.jdbc.JdbcStore;
import dev.refrain.store.outbox.OutboxStore;
import java.sql.Connection;
import javax.sql.DataSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.context.annotation.Bean;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.transaction.PlatformTransactionManager;

/** Messages that are staged in Spring's transactions, and a relay that delivers them to what the {@link RelayCustomizer} beans name. */
@AutoConfiguration(
        after = RefrainAutoConfiguration.class,
        afterName = "org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration")
@ConditionalOnClass({Outbox.class, DataSourceUtils.class, PlatformTransactionManager.class})
@ConditionalOnProperty(name = "refrain.enabled", matchIfMissing = true)
@ConditionalOnBean(JdbcStore.class)
public class RefrainOutboxAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean
    OutboxStore<Connection> refrainOutboxStore(
            JdbcStore store, ObjectProvider<PlatformTransactionManager> managers, ObjectProvider<DataSource> sources) {
        return SpringTransactionSource.findIn(managers, sources)
                .map(store::outbox)
                .orElseGet(store::outbox);
    }

    @Bean
    @ConditionalOnMissingBean
    Outbox<Connection> refrainOutbox(Refrain refrain, OutboxStore<Connection> store, RefrainProperties properties) {
        return Outbox.on(refrain, store)
                .maxBodyBytes(Math.toIntExact(properties.outbox().maxBody().toBytes()));
    }

    @Bean
    @ConditionalOnMissingBean
    @ConditionalOnSingleCandidate(DataSource.class)
    TransactionalOutbox refrainTransactionalOutbox(Outbox<Connection> outbox, DataSource source) {
        return new TransactionalOutbox(outbox, source);
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
        var relay = Relay.on(refrain, store).pollInterval(settings.pollEvery());
        customizers.orderedStream().forEach(customizer -> customizer.customize(relay));
        return new RelayLifecycle(relay, settings.timeToFinish());
    }
}
