package dev.refrain.spring;

import dev.refrain.store.Store;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Opens the store that {@code refrain.store.url} names. Comes before the store in the application's database, which backs off. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnProperty("refrain.store.url")
class StoreUrlConfiguration {

    /** Name of the bean. */
    static final String STORE = "refrainUrlStore";

    @Bean(STORE)
    @ConditionalOnMissingBean(Store.class)
    Store refrainUrlStore(RefrainProperties properties) {
        var settings = properties.store();
        if (!settings.dataSource().isEmpty()) {
            throw new RefrainStartException(
                    "refrain.store.url and refrain.store.data-source are both set, but there is one default store.",
                    "Remove one of them, or give one of the stores a name: refrain.stores.<name>.url.");
        }
        return StoreUrl.open("refrain.store", settings.url());
    }
}
