package dev.refrain.spring.outgoing;

import dev.refrain.http.outgoing.DownstreamKeys;
import dev.refrain.spring.RefrainAutoConfiguration;
import dev.refrain.spring.RefrainProperties;
import dev.refrain.spring.internal.boot.BootNames;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Configures derived keys on calls to other systems made inside an operation through the application's HTTP clients. Spring Boot 3.5 has its
 * customizers on every class path, so each client is asked for too.
 */
@AutoConfiguration(after = RefrainAutoConfiguration.class)
@ConditionalOnProperty(
        name = {"refrain.enabled", "refrain.outgoing.enabled"},
        matchIfMissing = true)
public class RefrainOutgoingAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean
    DownstreamKeys refrainDownstream(RefrainProperties properties) {
        return new DownstreamKeys(properties.outgoing().insideTransaction());
    }

    /** Configures every {@code WebClient} created by the application's builder. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(
            name = {BootNames.WEB_CLIENT_CUSTOMIZER, "org.springframework.web.reactive.function.client.WebClient"})
    static class WebClientConfiguration {

        @Bean
        @ConditionalOnMissingBean(name = "refrainWebClients")
        BootWebClientCustomizer refrainWebClients(DownstreamKeys downstream) {
            return builder -> builder.filter(new WebClientKeyFilter(downstream));
        }
    }

    /** Configures every {@code RestClient} created by the application's builder. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(name = {BootNames.REST_CLIENT_CUSTOMIZER, "org.springframework.web.client.RestClient"})
    static class RestClientConfiguration {

        @Bean
        @ConditionalOnMissingBean(name = "refrainRestClients")
        BootRestClientCustomizer refrainRestClients(DownstreamKeys downstream) {
            return builder -> builder.requestInterceptor(new RestClientKeyInterceptor(downstream));
        }
    }
}
