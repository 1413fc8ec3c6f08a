package dev.refrain.spring.outgoing;

import dev.refrain.http.outgoing.CallInTransactionPolicy;
import dev.refrain.http.outgoing.DownstreamKeys;
import dev.refrain.spring.RefrainAutoConfiguration;
import dev.refrain.spring.RefrainProperties;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.restclient.RestClientCustomizer;
import org.springframework.boot.webclient.WebClientCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Derived keys on calls to other systems, made inside an operation through the application's own clients. */
@AutoConfiguration(after = RefrainAutoConfiguration.class)
@ConditionalOnProperty(
        name = {"refrain.enabled", "refrain.outgoing.enabled"},
        matchIfMissing = true)
public class RefrainOutgoingAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean
    DownstreamKeys refrainDownstream(RefrainProperties properties) {
        return new DownstreamKeys(
                switch (properties.outgoing().insideTransaction()) {
                    case "refuse" -> CallInTransactionPolicy.REFUSE;
                    case "warn" -> CallInTransactionPolicy.WARN;
                    default ->
                        throw new IllegalArgumentException("refrain.outgoing.inside-transaction is '"
                                + properties.outgoing().insideTransaction() + "', but may be refuse or warn.");
                });
    }

    /** For every {@code WebClient} that is made by the application's builder. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(WebClientCustomizer.class)
    static class WebClientConfiguration {

        @Bean
        @ConditionalOnMissingBean(name = "refrainWebClients")
        WebClientCustomizer refrainWebClients(DownstreamKeys downstream) {
            return builder -> builder.filter(new WebClientKeyFilter(downstream));
        }
    }

    /** For every {@code RestClient} that is made by the application's builder. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(RestClientCustomizer.class)
    static class RestClientConfiguration {

        @Bean
        @ConditionalOnMissingBean(name = "refrainRestClients")
        RestClientCustomizer refrainRestClients(DownstreamKeys downstream) {
            return builder -> builder.requestInterceptor(new RestClientKeyInterceptor(downstream));
        }
    }
}
