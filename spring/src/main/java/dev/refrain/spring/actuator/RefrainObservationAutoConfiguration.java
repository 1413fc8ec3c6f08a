package dev.refrain.spring.actuator;

import dev.refrain.Refrain;
import dev.refrain.http.edge.BufferBudget;
import dev.refrain.metrics.BufferGauges;
import dev.refrain.metrics.MicrometerListener;
import dev.refrain.metrics.ObservationListener;
import dev.refrain.metrics.OutboxGauges;
import dev.refrain.metrics.RecordGauges;
import dev.refrain.observe.TraceIdSource;
import dev.refrain.spring.NamedStoreCondition;
import dev.refrain.spring.OperationStore;
import dev.refrain.spring.RefrainAutoConfiguration;
import dev.refrain.spring.RefrainStores;
import dev.refrain.spring.internal.boot.BootNames;
import dev.refrain.store.jdbc.JdbcStore;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.tracing.Tracer;
import java.util.stream.Collectors;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;

/** Configures health, metrics, observations and the actuator endpoint. */
@AutoConfiguration(
        after = RefrainAutoConfiguration.class,
        afterName = {BootNames.METER_REGISTRY, BootNames.OBSERVATION})
public class RefrainObservationAutoConfiguration {

    /** Configures metrics if there is a meter registry. */
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
        RecordGauges refrainCensus(Refrain refrain, ObjectProvider<RefrainStores> stores) {
            var gauges = new RecordGauges(refrain.admin());
            return hasNamed(stores) ? gauges.forStore(OperationStore.DEFAULT) : gauges;
        }

        /** Creates the gauges of the named stores. Where there are any, the default store is tagged too. */
        @Bean
        @ConditionalOnMissingBean(name = "refrainNamedStoreGauges")
        @ConditionalOnBean(RefrainStores.class)
        MeterBinder refrainNamedStoreGauges(RefrainStores stores) {
            return registry -> stores.named().forEach(store -> {
                new RecordGauges(store.refrain().admin()).forStore(store.name()).bindTo(registry);
                store.jdbc()
                        .ifPresent(
                                jdbc -> new HeldConnectionGauge(jdbc, Tags.of("store", store.name())).bindTo(registry));
            });
        }

        private static boolean hasNamed(ObjectProvider<RefrainStores> stores) {
            return stores.stream().anyMatch(all -> !all.named().isEmpty());
        }

        @Bean
        @ConditionalOnMissingBean
        @ConditionalOnBean(BufferBudget.class)
        BufferGauges refrainBufferGauges(BufferBudget budget) {
            return new BufferGauges(budget::heldBytes, budget.maxBytes());
        }

        @Bean
        @ConditionalOnMissingBean
        @ConditionalOnBean(JdbcStore.class)
        OutboxGauges refrainOutboxGauges(JdbcStore store) {
            return new OutboxGauges(store.outboxBrowser());
        }

        @Bean
        @ConditionalOnMissingBean
        @ConditionalOnBean(JdbcStore.class)
        HeldConnectionGauge refrainHeldConnections(JdbcStore store, ObjectProvider<RefrainStores> stores) {
            return new HeldConnectionGauge(
                    store, hasNamed(stores) ? Tags.of("store", OperationStore.DEFAULT) : Tags.empty());
        }
    }

    /** Configures observations, and so spans, if there is an observation registry. */
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

    /** Configures the traces that records name, if Micrometer Tracing is there. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(Tracer.class)
    static class TracingConfiguration {

        @Bean
        @ConditionalOnMissingBean
        TraceIdSource refrainTraceIds(ObjectProvider<Tracer> tracers) {
            return new CurrentSpanTraceId(tracers);
        }
    }

    /** Configures the health indicators if health is enabled. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(name = BootNames.HEALTH_INDICATOR)
    @ConditionalOnBean(RefrainStores.class)
    static class HealthConfiguration {

        /** Creates {@code refrainStores} in the health of the application, with an entry for each named store. */
        @Bean
        @Conditional(NamedStoreCondition.class)
        @ConditionalOnMissingBean(name = "refrainStoresHealthContributor")
        BootCompositeHealth refrainStoresHealthContributor(RefrainStores stores) {
            return new BootCompositeHealth(stores.named().stream()
                    .collect(Collectors.toMap(
                            OperationStore::name, store -> new RefrainHealthIndicator(store.refrain()))));
        }

        @Bean
        @ConditionalOnBean(Refrain.class)
        @ConditionalOnMissingBean(name = "refrainHealthIndicator")
        RefrainHealthIndicator refrainHealthIndicator(Refrain refrain) {
            return new RefrainHealthIndicator(refrain);
        }
    }

    /** Configures the actuator endpoint {@code refrain}. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(Endpoint.class)
    @ConditionalOnBean(RefrainStores.class)
    static class EndpointConfiguration {

        @Bean
        @ConditionalOnMissingBean
        RefrainActuatorEndpoint refrainEndpoint(RefrainStores stores) {
            return new RefrainActuatorEndpoint(stores);
        }
    }
}
