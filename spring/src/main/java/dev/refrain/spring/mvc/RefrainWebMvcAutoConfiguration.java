package dev.refrain.spring.mvc;

import dev.refrain.http.KeptRequestRedactor;
import dev.refrain.http.Route;
import dev.refrain.http.edge.BufferBudget;
import dev.refrain.http.edge.ContractAndStatusPaths;
import dev.refrain.http.edge.TransactionalRunner;
import dev.refrain.http.servlet.RefrainFilter;
import dev.refrain.http.servlet.ScopeResolver;
import dev.refrain.spring.Idempotent;
import dev.refrain.spring.OperationStore;
import dev.refrain.spring.RefrainAutoConfiguration;
import dev.refrain.spring.RefrainProperties;
import dev.refrain.spring.RefrainStores;
import dev.refrain.spring.StoreEncryption;
import dev.refrain.spring.internal.boot.BootNames;
import dev.refrain.spring.internal.handler.HandlerModeResolver;
import dev.refrain.spring.internal.handler.ProtectedHandlerRegistry;
import dev.refrain.spring.internal.handler.ScopeSetting;
import dev.refrain.spring.internal.transaction.StoreTransactionFinder;
import dev.refrain.store.jdbc.JdbcStore;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.ServletContext;
import java.util.EnumSet;
import java.util.Optional;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springdoc.core.customizers.OperationCustomizer;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.web.server.WebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
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

/** Configures protection of {@link Idempotent} handlers in Spring MVC. */
@AutoConfiguration(
        after = RefrainAutoConfiguration.class,
        afterName = {BootNames.WEB_MVC, BootNames.TRANSACTIONS, BootNames.DATA_SOURCE_TRANSACTIONS})
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
@ConditionalOnClass(RequestMappingHandlerMapping.class)
@ConditionalOnBean(RefrainStores.class)
public class RefrainWebMvcAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean
    ScopeResolver refrainScopeResolver(RefrainProperties properties) {
        boolean security = ClassUtils.isPresent(
                "org.springframework.security.web.SecurityFilterChain",
                getClass().getClassLoader());
        return switch (ScopeSetting.of(properties, security, ScopeResolver.class)) {
            case PRINCIPAL -> ScopeResolver.principal();
            case SHARED -> ScopeResolver.shared();
        };
    }

    /** Creates the registry of annotated handlers and of all {@link Route} beans. */
    @Bean
    @ConditionalOnMissingBean(name = "refrainProtectedHandlers")
    ProtectedHandlerRegistry refrainProtectedHandlers(
            RefrainStores stores,
            RefrainProperties properties,
            ObjectProvider<TransactionalRunner.Factory> transactions,
            ObjectProvider<NamedStoreTransactions> ofNamedStores,
            ObjectProvider<Route> routes,
            ObjectProvider<KeptRequestRedactor> redactors,
            ObjectProvider<ServletContext> application,
            ObjectProvider<RouterFunction<?>> functions,
            BufferBudget budget,
            ListableBeanFactory beans) {
        // Clients see these paths with the context path.
        String path = Optional.ofNullable(application.getIfAvailable())
                .map(ServletContext::getContextPath)
                .orElse("");
        return new ProtectedHandlerRegistry(
                stores,
                properties,
                new ContractAndStatusPaths(path, properties.http().basePath()),
                new HandlerModeResolver.ThreadBoundModeResolver(
                        functions.stream().findAny().isPresent(), beans),
                store -> store.isDefault()
                        ? Optional.ofNullable(transactions.getIfAvailable())
                        : Optional.ofNullable(ofNamedStores.getIfAvailable()).flatMap(all -> all.find(store)),
                budget,
                routes.orderedStream().toList(),
                redactors.orderedStream().reduce(KeptRequestRedactor.NONE, KeptRequestRedactor::andThen));
    }

    @Bean
    @ConditionalOnMissingBean(name = "refrainHandlers")
    MvcRouteFinder refrainHandlers(ProtectedHandlerRegistry handlers, ObjectProvider<HandlerMapping> mappings) {
        // Other mappings serve static files and the like, which change nothing.
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

    /** Registers the filter directly behind Refrain's own. */
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

    /** Creates the post-processor, before the controllers that it inspects. */
    @Bean
    @ConditionalOnMissingBean(name = "refrainHandlerAdviceGate")
    static HandlerAdviceGate refrainHandlerAdviceGate() {
        return new HandlerAdviceGate();
    }

    @Bean
    @ConditionalOnMissingBean(name = "refrainFilter")
    FilterRegistrationBean<RefrainFilter> refrainFilter(
            RefrainStores stores,
            MvcRouteFinder handlers,
            ScopeResolver scopes,
            RefrainProperties properties,
            BufferBudget budget,
            @Value("${spring.web.error.path:${server.error.path:${error.path:/error}}}") String errorPath) {
        var builder = RefrainFilter.builder(stores.all().getFirst().refrain());
        stores.named().forEach(store -> builder.statusOf(store.name(), store.refrain(), store.httpNamespace()));
        var filter = builder.scope(scopes)
                .routes(handlers, handlers::contract)
                .endpointPaths(new ContractAndStatusPaths(properties.http().basePath()))
                .errorWriter(new SpringErrorPageWriter(errorPath))
                .bufferBudget(budget)
                .build();
        var registration = new FilterRegistrationBean<>(filter);
        registration.setOrder(properties.http().filterOrder());
        registration.setAsyncSupported(true);
        registration.setDispatcherTypes(EnumSet.of(DispatcherType.REQUEST, DispatcherType.ASYNC));
        return registration;
    }

    /**
     * Reads the settings and opens the stores before the embedded web server starts. What fails there is reported alone; a server that is
     * already starting would log the failure too, and warn of the pool's threads.
     */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(WebServerFactoryCustomizer.class)
    static class BeforeServerConfiguration {

        @Bean
        @ConditionalOnMissingBean(name = "refrainBeforeServer")
        static WebServerFactoryCustomizer<WebServerFactory> refrainBeforeServer(
                ListableBeanFactory beans, ObjectProvider<RefrainStores> stores) {
            return server -> {
                if (beans.containsBeanDefinition("refrainScopeResolver")) {
                    beans.getBean("refrainScopeResolver");
                }
                ProtectedHandlerRegistry.requireReadable(beans.getBean(RefrainProperties.class));
                stores.getObject();
            };
        }
    }

    /** Configures the OpenAPI customizer if springdoc is present. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(OperationCustomizer.class)
    static class OpenApiConfiguration {

        @Bean
        @ConditionalOnMissingBean(name = "refrainDocumentedKeys")
        OpenApiKeyCustomizer refrainDocumentedKeys(MvcRouteFinder handlers) {
            return new OpenApiKeyCustomizer(handlers);
        }
    }

    /** Configures transactional handlers on named stores. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(PlatformTransactionManager.class)
    @ConditionalOnBean({PlatformTransactionManager.class, DataSource.class})
    static class NamedTransactionConfiguration {

        @Bean
        @ConditionalOnMissingBean
        NamedStoreTransactions refrainNamedStoreTransactions(ListableBeanFactory beans) {
            return store -> new StoreTransactionFinder(beans)
                    .find(store)
                    .flatMap(source -> store.jdbc()
                            .map(jdbc -> new SpringHandlerTransactions(jdbc, source, beans, store::encrypted)));
        }
    }

    /** Finds the transactions of a named store; empty if Spring manages none in its database. */
    interface NamedStoreTransactions {
        Optional<TransactionalRunner.Factory> find(OperationStore store);
    }

    /** Configures transactional handlers if Spring's transactions are on the keys' database. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(PlatformTransactionManager.class)
    @ConditionalOnBean({JdbcStore.class, PlatformTransactionManager.class, DataSource.class})
    static class TransactionConfiguration {

        /** Creates the transactions; null where no manager manages the DataSource of the keys. */
        @Bean
        @ConditionalOnMissingBean
        TransactionalRunner.@Nullable Factory refrainTransactor(JdbcStore store, ListableBeanFactory beans) {
            return new StoreTransactionFinder(beans)
                    .find(store)
                    .map(source -> new SpringHandlerTransactions(
                            store, source, beans, plain -> StoreEncryption.transactions(plain, beans)))
                    .orElse(null);
        }
    }
}
