package dev.refrain.spring;

import dev.refrain.Refrain;
import dev.refrain.spring.internal.boot.BootNames;
import dev.refrain.store.Store;
import dev.refrain.store.StoreException;
import dev.refrain.store.redis.RedisStore;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.SslOptions;
import javax.sql.DataSource;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.context.annotation.Bean;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * Stores keys in the Redis of the application's connection factory ({@code spring.data.redis}) where there is no DataSource, no Refrain, and {@code
 * refrain.store.url} is not set. The store has connections of its own. Needs {@code refrain-store-redis} on the class path.
 */
@AutoConfiguration(
        before = RefrainAutoConfiguration.class,
        afterName = {BootNames.DATA_SOURCE, BootNames.REDIS})
@ConditionalOnClass({RedisStore.class, LettuceConnectionFactory.class})
@ConditionalOnProperty(name = "refrain.enabled", matchIfMissing = true)
public class RefrainRedisAutoConfiguration {

    @Bean(StoreUrlConfiguration.STORE)
    @ConditionalOnMissingBean({Store.class, DataSource.class, Refrain.class})
    @ConditionalOnProperty(name = "refrain.store.url", havingValue = "false", matchIfMissing = true)
    @ConditionalOnSingleCandidate(RedisConnectionFactory.class)
    Store refrainRedisStore(RedisConnectionFactory factory) {
        if (!(factory instanceof LettuceConnectionFactory lettuce)) {
            throw new RefrainStartException(
                    "The keys would be stored in the Redis of a "
                            + factory.getClass().getName() + ", whose address the starter cannot read.",
                    "Set refrain.store.url=redis://HOST:PORT, or define a Store bean.");
        }
        try {
            return RefrainStartException.explain(
                    "spring.data.redis",
                    () -> RedisStore.builder(RedisFactoryAddress.of(lettuce))
                            .certificates(lettuce.getClientConfiguration()
                                    .getClientOptions()
                                    .map(ClientOptions::getSslOptions)
                                    .orElseGet(SslOptions::create))
                            .build());
        } catch (StoreException e) {
            throw new RefrainStartException(
                    "The store of the keys cannot be opened. " + e.getMessage(),
                    e.isTransient()
                            ? "Check that the server runs and accepts this application's user (spring.data.redis.*), and start again."
                            : "Do what the last sentence of the description says, and start again.",
                    e);
        }
    }
}
