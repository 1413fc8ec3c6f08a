package dev.refrain.spring.mvc;

import dev.refrain.OperationCall;
import dev.refrain.Refrain;
import dev.refrain.api.OperationResult;
import dev.refrain.api.Outcome;
import dev.refrain.http.Route;
import dev.refrain.http.edge.RefrainEndpointPaths;
import dev.refrain.http.edge.TransactionalRunner;
import dev.refrain.http.servlet.RefrainFilter;
import dev.refrain.http.servlet.ScopeResolver;
import dev.refrain.spring.Idempotent;
import dev.refrain.spring.RefrainAutoConfiguration;
import dev.refrain.spring.RefrainProperties;
import dev.refrain.spring.handler.HandlerModeResolver;
import dev.refrain.spring.handler.ProtectedHandlerRegistry;
import dev.refrain.spring.handler.ScopeSetting;
import dev.refrain.spring.transaction.SpringTransactionSource;
import dev.refrain.store.jdbc.JdbcStore;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.ServletContext;
import java.sql.Connection;
import java.util.EnumSet;
import java.util.Optional;
import javax.sql.DataSource;
import org.springdoc.core.customizers.OperationCustomizer;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.util.ClassUtils;
import org.springframework.util.function.SingletonSupplier;
import org.springframework.web.servlet.HandlerInterceptor;
import org.springframework.web.servlet.HandlerMapping;
import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.support.RouterFunctionMapping;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerAdapter;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;

/** Protects the handlers of Spring MVC that are {@link Idempotent}. */
@AutoConfiguration(
        after = RefrainAutoConfiguration.class,
        afterName = {
            "org.springframework.boot.webmvc.autoconfigure.WebMvcAutoConfiguration",
            "org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration",
            "org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration"
        })
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
@ConditionalOnClass(RequestMappingHandlerMapping.class)
@ConditionalOnBean(Refrain.class)
public class RefrainWebMvcAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean
    ScopeResolver refrainScopeResolver(RefrainProperties properties) {
        boolean security = ClassUtils.isPresent(
                "org.springframework.security.web.SecurityFilterChain",
                getClass().getClassLoader());
        return switch (ScopeSetting.of(properties, security, ScopeResolver.class)) {
            case PRINCIPAL -> ScopeResolver.principal();
            case ONE_TENANT -> ScopeResolver.singleTenant();
        };
    }

    /** Beside annotated handlers those of every {@link Route} that is a bean. */
    @Bean
    @ConditionalOnMissingBean(name = "refrainProtectedHandlers")
    ProtectedHandlerRegistry refrainProtectedHandlers(
            Refrain refrain,
            RefrainProperties properties,
            ObjectProvider<TransactionalRunner.Factory> transactions,
            ObjectProvider<Route> routes,
            ObjectProvider<ServletContext> application,
            ObjectProvider<RouterFunction<?>> functions,
            BeanFactory beans) {
        // What clients are told to look at is below the application's own path.
        String path = Optional.ofNullable(application.getIfAvailable())
                .map(ServletContext::getContextPath)
                .orElse("");
        var maker = Optional.ofNullable(transactions.getIfAvailable());
        return new ProtectedHandlerRegistry(
                refrain,
                properties,
                new RefrainEndpointPaths(path, properties.http().basePath()),
                new HandlerModeResolver.ThreadBoundModeResolver(
                        maker.isPresent(), functions.stream().findAny().isPresent(), beans),
                maker,
                routes.orderedStream().toList());
    }

    @Bean
    @ConditionalOnMissingBean(name = "refrainHandlers")
    MvcRouteFinder refrainHandlers(ProtectedHandlerRegistry handlers, ObjectProvider<HandlerMapping> mappings) {
        // Of the others, which serve files and the like, none changes anything.
        return new MvcRouteFinder(
                handlers,
                SingletonSupplier.of(() -> mappings.orderedStream()
                        .filter(mapping -> mapping instanceof RequestMappingHandlerMapping
                                || mapping instanceof RouterFunctionMapping)
                        .toList()));
    }

    @Bean
    @ConditionalOnMissingBean(name = "refrainGuard")
    static HandlerInterceptorRegistrar refrainGuard(
            ObjectProvider<MvcRouteFinder> handlers, ObjectProvider<HandlerGateFilter> gate) {
        return new HandlerInterceptorRegistrar(
                () -> new HandlerInterceptor[] {new UnfilteredRequestGuard(handlers::getObject), gate.getObject()});
    }

    @Bean
    @ConditionalOnMissingBean(name = "refrainHandlerGate")
    HandlerGateFilter refrainHandlerGate() {
        return new HandlerGateFilter();
    }

    /** Right behind Refrain's own filter. */
    @Bean
    @ConditionalOnMissingBean(name = "refrainHandlerGateFilter")
    FilterRegistrationBean<HandlerGateFilter> refrainHandlerGateFilter(
            HandlerGateFilter gate, RefrainProperties properties) {
        var registration = new FilterRegistrationBean<>(gate);
        registration.setOrder(Math.addExact(properties.http().filterOrder(), 1));
        registration.setAsyncSupported(true);
        registration.setDispatcherTypes(
                EnumSet.of(DispatcherType.REQUEST, DispatcherType.FORWARD, DispatcherType.INCLUDE));
        return registration;
    }

    @Bean
    @ConditionalOnMissingBean(name = "refrainHandlerArgumentGate")
    HandlerArgumentGate refrainHandlerArgumentGate(ObjectProvider<RequestMappingHandlerAdapter> adapters) {
        return new HandlerArgumentGate(() -> adapters.orderedStream().toList());
    }

    /** Made before the controllers that it looks at. */
    @Bean
    @ConditionalOnMissingBean(name = "refrainHandlerAdviceGate")
    static HandlerAdviceGate refrainHandlerAdviceGate() {
        return new HandlerAdviceGate();
    }

    @Bean
    @ConditionalOnMissingBean(name = "refrainFilter")
    FilterRegistrationBean<RefrainFilter> refrainFilter(
            Refrain refrain,
            MvcRouteFinder handlers,
            ScopeResolver scopes,
            RefrainProperties properties,
            @Value("${spring.web.error.path:${server.error.path:${error.path:/error}}}") String errorPath) {
        var filter = RefrainFilter.builder(refrain)
                .scope(scopes)
                .routes(handlers, handlers::contract)
                .endpointPaths(new RefrainEndpointPaths(properties.http().basePath()))
                .errorWriter(new SpringErrorPageWriter(errorPath))
                .build();
        var registration = new FilterRegistrationBean<>(filter);
        registration.setOrder(properties.http().filterOrder());
        registration.setAsyncSupported(true);
        registration.setDispatcherTypes(EnumSet.of(DispatcherType.REQUEST, DispatcherType.ASYNC));
        return registration;
    }

    /** Where the API is described by springdoc. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(OperationCustomizer.class)
    static class OpenApiConfiguration {

        @Bean
        @ConditionalOnMissingBean(name = "refrainDocumentedKeys")
        OpenApiKeyCustomizer refrainDocumentedKeys(MvcRouteFinder handlers) {
            return new OpenApiKeyCustomizer(handlers);
        }
    }

    /** Where the keys are in the database of Spring's transactions. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(PlatformTransactionManager.class)
    @ConditionalOnBean({JdbcStore.class, PlatformTransactionManager.class, DataSource.class})
    static class TransactionConfiguration {

        @Bean
        @ConditionalOnMissingBean
        TransactionalRunner.Factory refrainTransactor(
                JdbcStore store, PlatformTransactionManager manager, DataSource source) {
            var transactions = store.transactions(new SpringTransactionSource(manager, source));
            return operation -> new SpringTransactionalRunner(operation.transactional(transactions));
        }

        private record SpringTransactionalRunner(
                dev.refrain.TransactionalOperation<Outcome.Answer, Connection> operation)
                implements TransactionalRunner {
            @Override
            public <X extends Exception> OperationResult attempt(OperationCall call, TransactionalHandler<X> handler)
                    throws X {
                return operation.runForResult(call, (claim, connection) -> handler.run(claim));
            }
        }
    }
}
