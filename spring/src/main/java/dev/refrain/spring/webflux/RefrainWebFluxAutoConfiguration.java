package dev.refrain.spring.webflux;

import dev.refrain.Refrain;
import dev.refrain.http.Route;
import dev.refrain.http.edge.RefrainEndpointPaths;
import dev.refrain.spring.RefrainAutoConfiguration;
import dev.refrain.spring.RefrainProperties;
import dev.refrain.spring.handler.HandlerModeResolver;
import dev.refrain.spring.handler.ProtectedHandlerRegistry;
import dev.refrain.spring.handler.ScopeSetting;
import java.util.Optional;
import org.springframework.beans.factory.ObjectProvider;
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
import org.springframework.web.server.WebExceptionHandler;

/** Protects the handlers of WebFlux that are {@link dev.refrain.spring.Idempotent}. */
@AutoConfiguration(
        after = RefrainAutoConfiguration.class,
        afterName = "org.springframework.boot.webflux.autoconfigure.WebFluxAutoConfiguration")
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
@ConditionalOnClass(DispatcherHandler.class)
@ConditionalOnBean(Refrain.class)
public class RefrainWebFluxAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean
    ReactiveScopeResolver refrainScopeResolver(RefrainProperties properties) {
        boolean security = ClassUtils.isPresent(
                "org.springframework.security.web.server.SecurityWebFilterChain",
                getClass().getClassLoader());
        return switch (ScopeSetting.of(properties, security, ReactiveScopeResolver.class)) {
            case PRINCIPAL -> ReactiveScopeResolver.principal();
            case ONE_TENANT -> ReactiveScopeResolver.oneTenant();
        };
    }

    /** Beside annotated handlers those of every {@link Route} that is a bean. */
    @Bean
    @ConditionalOnMissingBean(name = "refrainProtectedHandlers")
    ProtectedHandlerRegistry refrainProtectedHandlers(
            Refrain refrain,
            RefrainProperties properties,
            ObjectProvider<Route> routes,
            @Value("${spring.webflux.base-path:}") String path) {
        return new ProtectedHandlerRegistry(
                refrain,
                properties,
                places(path, properties),
                new HandlerModeResolver.ReactiveModeResolver(),
                Optional.empty(),
                routes.orderedStream().toList());
    }

    @Bean
    @ConditionalOnMissingBean(name = "refrainHandlers")
    WebFluxRouteFinder refrainHandlers(ProtectedHandlerRegistry handlers, ObjectProvider<HandlerMapping> mappings) {
        return new WebFluxRouteFinder(handlers, () -> mappings.orderedStream().toList());
    }

    @Bean
    @ConditionalOnMissingBean(name = "refrainWebFilter")
    RefrainWebFilter refrainWebFilter(
            Refrain refrain,
            WebFluxRouteFinder handlers,
            ReactiveScopeResolver scopes,
            ObjectProvider<WebExceptionHandler> errors,
            ServerCodecConfigurer codecs,
            RefrainProperties properties,
            @Value("${spring.webflux.base-path:}") String path) {
        return new RefrainWebFilter(
                refrain,
                handlers,
                scopes,
                new ReactiveErrorHandler(() -> errors.orderedStream().toList()),
                codecs,
                places(path, properties),
                properties.http().filterOrder());
    }

    /** Below the application's own path, which Spring Boot takes with its slashes or without. */
    private static RefrainEndpointPaths places(String path, RefrainProperties properties) {
        String bare = path.strip().replaceAll("^/|/$", "");
        return new RefrainEndpointPaths(
                bare.isEmpty() ? "" : "/" + bare, properties.http().basePath());
    }
}
