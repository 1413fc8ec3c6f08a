package dev.refrain.spring.actuator;

import dev.refrain.Refrain;
import dev.refrain.metrics.MicrometerListener;
import dev.refrain.metrics.ObservationListener;
import dev.refrain.metrics.OutboxGauges;
import dev.refrain.metrics.RecordGauges;
import dev.refrain.spring.RefrainAutoConfiguration;
import dev.refrain.store.jdbc.JdbcStore;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.observation.ObservationRegistry;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** What an operator sees: health, metrics, and an endpoint to act on. */
@AutoConfiguration(
        after = RefrainAutoConfiguration.class,
        afterName = {
            "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration",
            "org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration"
        })
public class RefrainObservationAutoConfiguration {

    /** Metrics, where there is a registry for them. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass({MeterRegistry.class, MicrometerListener.class})
    @ConditionalOnBean(MeterRegistry.class)
    static class MetricsConfiguration {

        @Bean
        @ConditionalOnMissingBean
        MicrometerListener refrainMetrics(MeterRegistry registry) {
            return new MicrometerListener(registry);
        }

        @Bean
        @ConditionalOnMissingBean
        @ConditionalOnBean(Refrain.class)
        RecordGauges refrainCensus(Refrain refrain) {
            return new RecordGauges(refrain.admin());
        }

        @Bean
        @ConditionalOnMissingBean
        @ConditionalOnBean(JdbcStore.class)
        OutboxGauges refrainOutboxGauges(JdbcStore store) {
            return new OutboxGauges(store.outboxBrowser());
        }
    }

    /** Observations, and so spans, where there is a registry for them. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass({ObservationRegistry.class, ObservationListener.class})
    @ConditionalOnBean(ObservationRegistry.class)
    static class ObservationConfiguration {

        @Bean
        @ConditionalOnMissingBean
        ObservationListener refrainObservations(ObservationRegistry registry) {
            return new ObservationListener(registry);
        }
    }

    /** Health, where it is asked for. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(HealthIndicator.class)
    @ConditionalOnBean(Refrain.class)
    static class HealthConfiguration {

        @Bean
        @ConditionalOnMissingBean(name = "refrainHealthIndicator")
        RefrainHealthIndicator refrainHealthIndicator(Refrain refrain) {
            return new RefrainHealthIndicator(refrain);
        }
    }

    /** The actuator's endpoint {@code refrain}. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(Endpoint.class)
    @ConditionalOnBean(Refrain.class)
    static class EndpointConfiguration {

        @Bean
        @ConditionalOnMissingBean
        RefrainActuatorEndpoint refrainEndpoint(Refrain refrain) {
            return new RefrainActuatorEndpoint(refrain);
        }
    }
}
