package dev.refrain.spring.webflux;

import dev.refrain.http.KeptRequestRedactor;
import dev.refrain.http.Route;
import dev.refrain.http.edge.BufferBudget;
import dev.refrain.http.edge.ContractAndStatusPaths;
import dev.refrain.spring.RefrainAutoConfiguration;
import dev.refrain.spring.RefrainProperties;
import dev.refrain.spring.RefrainStores;
import dev.refrain.spring.internal.boot.BootNames;
import dev.refrain.spring.internal.handler.HandlerModeResolver;
import dev.refrain.spring.internal.handler.ProtectedHandlerRegistry;
import dev.refrain.spring.internal.handler.ScopeSetting;
import java.util.Optional;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.http.codec.ServerCodecConfigurer;
import org.springframework.util.ClassUtils;
import org.springframework.web.reactive.DispatcherHandler;
import org.springframework.web.reactive.HandlerMapping;
import org.springframework.web.reactive.result.method.annotation.RequestMappingHandlerAdapter;
import org.springframework.web.server.WebExceptionHandler;
import org.springframework.web.server.WebHandler;
import org.springframework.web.server.adapter.WebHttpHandlerBuilder;

/** Configures protection of {@link dev.refrain.spring.Idempotent} handlers in WebFlux. */
@AutoConfiguration(after = RefrainAutoConfiguration.class, afterName = BootNames.WEB_FLUX)
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
@ConditionalOnClass(DispatcherHandler.class)
@ConditionalOnBean(RefrainStores.class)
public class RefrainWebFluxAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean
    ReactiveScopeResolver refrainScopeResolver(RefrainProperties properties) {
        boolean security = ClassUtils.isPresent(
                "org.springframework.security.web.server.SecurityWebFilterChain",
                getClass().getClassLoader());
        return switch (ScopeSetting.of(properties, security, ReactiveScopeResolver.class)) {
            case PRINCIPAL -> ReactiveScopeResolver.principal();
            case SHARED -> ReactiveScopeResolver.shared();
        };
    }

    /** Creates the registry of annotated handlers and of all {@link Route} beans. */
    @Bean
    @ConditionalOnMissingBean(name = "refrainProtectedHandlers")
    ProtectedHandlerRegistry refrainProtectedHandlers(
            RefrainStores stores,
            RefrainProperties properties,
            ObjectProvider<Route> routes,
            ObjectProvider<KeptRequestRedactor> redactors,
            BufferBudget budget,
            @Value("${spring.webflux.base-path:}") String path) {
        return new ProtectedHandlerRegistry(
                stores,
                properties,
                places(path, properties),
                new HandlerModeResolver.ReactiveModeResolver(),
                store -> Optional.empty(),
                budget,
                routes.orderedStream().toList(),
                redactors.orderedStream().reduce(KeptRequestRedactor.NONE, KeptRequestRedactor::andThen));
    }

    @Bean
    @ConditionalOnMissingBean(name = "refrainHandlers")
    WebFluxRouteFinder refrainHandlers(
            ProtectedHandlerRegistry handlers,
            ObjectProvider<HandlerMapping> mappings,
            @Qualifier(WebHttpHandlerBuilder.WEB_HANDLER_BEAN_NAME) ObjectProvider<WebHandler> behindFilters) {
        return new WebFluxRouteFinder(handlers, () -> mappings.orderedStream().toList(), behindFilters::getIfAvailable);
    }

    @Bean
    @ConditionalOnMissingBean(name = "refrainHandlerArrivals")
    HandlerArrivalMapping refrainHandlerArrivals() {
        return new HandlerArrivalMapping();
    }

    @Bean
    @ConditionalOnMissingBean(name = "refrainArgumentGate")
    ReactiveArgumentGate refrainArgumentGate(ObjectProvider<RequestMappingHandlerAdapter> adapters) {
        return new ReactiveArgumentGate(() -> adapters.orderedStream().toList());
    }

    @Bean
    @ConditionalOnMissingBean(name = "refrainWebFilter")
    RefrainWebFilter refrainWebFilter(
            RefrainStores stores,
            WebFluxRouteFinder handlers,
            ReactiveScopeResolver scopes,
            ObjectProvider<WebExceptionHandler> errors,
            ServerCodecConfigurer codecs,
            RefrainProperties properties,
            BufferBudget budget,
            @Value("${spring.webflux.base-path:}") String path) {
        return new RefrainWebFilter(
                stores,
                handlers,
                scopes,
                new ReactiveErrorHandler(() -> errors.orderedStream().toList()),
                codecs,
                places(path, properties),
                budget,
                properties.http().filterOrder());
    }

    /** Returns the paths below the base path of the application, which Spring Boot accepts with or without slashes. */
    private static ContractAndStatusPaths places(String path, RefrainProperties properties) {
        String bare = path.strip().replaceAll("^/|/$", "");
        return new ContractAndStatusPaths(
                bare.isEmpty() ? "" : "/" + bare, properties.http().basePath());
    }
}
