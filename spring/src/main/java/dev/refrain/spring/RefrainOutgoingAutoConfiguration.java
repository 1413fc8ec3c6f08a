package dev.refrain.spring;

import dev.refrain.http.outgoing.Downstream;
import dev.refrain.http.outgoing.InsideTransaction;
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
    Downstream refrainDownstream(RefrainProperties properties) {
        return new Downstream(
                switch (properties.outgoing().insideTransaction()) {
                    case "refuse" -> InsideTransaction.REFUSE;
                    case "warn" -> InsideTransaction.WARN;
                    default ->
                        throw new IllegalArgumentException("refrain.outgoing.inside-transaction is '"
                                + properties.outgoing().insideTransaction() + "', but may be refuse or warn.");
                });
    }

    /** For every {@code WebClient} that is made by the application's builder. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(WebClientCustomizer.class)
    static class ByWebClient {

        @Bean
        @ConditionalOnMissingBean(name = "refrainWebClients")
        WebClientCustomizer refrainWebClients(Downstream downstream) {
            return builder -> builder.filter(new DownstreamFilter(downstream));
        }
    }

    /** For every {@code RestClient} that is made by the application's builder. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(RestClientCustomizer.class)
    static class ByRestClient {

        @Bean
        @ConditionalOnMissingBean(name = "refrainRestClients")
        RestClientCustomizer refrainRestClients(Downstream downstream) {
            return builder -> builder.requestInterceptor(new DownstreamInterceptor(downstream));
        }
    }
}
