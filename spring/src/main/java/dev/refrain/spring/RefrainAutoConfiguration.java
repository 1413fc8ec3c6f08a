package dev.refrain.spring;

import dev.refrain.Refrain;
import dev.refrain.RefrainSettings;
import dev.refrain.RefrainSettings.CacheSettings;
import dev.refrain.RefrainSettings.WaiterLimits;
import dev.refrain.ValueCodec;
import dev.refrain.observe.RefrainListener;
import dev.refrain.store.Store;
import dev.refrain.store.jdbc.JdbcStore;
import javax.sql.DataSource;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import tools.jackson.databind.json.JsonMapper;

/** The store in the application's own database, and what runs on it. Every bean gives way to one of the application's. */
@AutoConfiguration(
        afterName = {
            "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration",
            "org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration",
            "org.springframework.boot.flyway.autoconfigure.FlywayAutoConfiguration",
            "org.springframework.boot.liquibase.autoconfigure.LiquibaseAutoConfiguration"
        })
@ConditionalOnProperty(name = "refrain.enabled", matchIfMissing = true)
@EnableConfigurationProperties(RefrainProperties.class)
public class RefrainAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean(Store.class)
    @ConditionalOnSingleCandidate(DataSource.class)
    JdbcStore refrainStore(DataSource dataSource, RefrainProperties properties) {
        var settings = properties.store();
        return JdbcStore.builder(dataSource)
                .migrate(settings.migrate())
                .createBrowsingIndex(properties.console().enabled())
                .schema(settings.schema())
                .lockTimeout(settings.lockTimeout())
                .statementTimeout(settings.statementTimeout())
                .build();
    }

    /** Closed before the store: what runs is finished or released, so that a deploy leaves nothing behind. */
    @Bean(destroyMethod = "close")
    @ConditionalOnMissingBean
    @ConditionalOnBean(Store.class)
    Refrain refrain(
            Store store,
            RefrainProperties properties,
            ObjectProvider<RefrainListener> listeners,
            ObjectProvider<ValueCodec> codecs) {
        return Refrain.using(
                store,
                settings(properties)
                        .with(codecs.getIfAvailable(ValueCodec::standard))
                        .with(listeners.orderedStream().reduce(RefrainListener.none(), RefrainListener::and)));
    }

    private static RefrainSettings settings(RefrainProperties properties) {
        var chores = properties.chores();
        var waiters = properties.waiters();
        var cache = properties.cache();
        var settings = RefrainSettings.defaults()
                .with(new RefrainSettings.MaintenanceSchedule(chores.sweepEvery(), chores.grace(), chores.reapEvery()))
                .with(new WaiterLimits(waiters.perScope(), waiters.perInstance()))
                .with(new CacheSettings(cache.bytes().toBytes(), cache.longest()));
        Long quota = properties.quota().keysPerScope();
        return quota == null ? settings : settings.maxKeysPerScope(quota);
    }

    @Bean
    @ConditionalOnMissingBean(name = "refrainUnprotectedRetries")
    UnprotectedRetryDetector refrainUnprotectedRetries(ListableBeanFactory beans) {
        return new UnprotectedRetryDetector(beans);
    }

    /** Values are stored as the application's own mapper writes them. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(JsonMapper.class)
    static class JsonMapperCodecConfiguration {

        @Bean
        @ConditionalOnMissingBean
        @ConditionalOnSingleCandidate(JsonMapper.class)
        ValueCodec refrainCodec(JsonMapper mapper) {
            return new JsonMapperCodec(mapper);
        }
    }
}
