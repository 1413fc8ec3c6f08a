package dev.refrain.spring.webflux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.refrain.http.OperationMode;
import dev.refrain.http.Route;
import dev.refrain.http.RoutePolicy;
import dev.refrain.spring.BootParts;
import dev.refrain.spring.Idempotent;
import dev.refrain.spring.RefrainAutoConfiguration;
import dev.refrain.spring.mvc.RefrainWebMvcAutoConfiguration;
import dev.refrain.store.memory.MemoryStore;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ReactiveWebApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;

/** What a WebFlux application is refused at its start, in words that say what to do. */
class WebFluxStartupRefusalTest {

    private static final String SHARED = "--refrain.scope=shared";

    @Configuration(proxyBeanMethods = false)
    static class Nothing {}

    @RestController
    static class SaysNothing {
        @PostMapping("/payments")
        @Idempotent
        Mono<String> pay() {
            return Mono.just("paid");
        }
    }

    static class SaysTransactional extends SaysNothing {
        @Override
        @PostMapping("/payments")
        @Idempotent(mode = Idempotent.Mode.TRANSACTIONAL)
        Mono<String> pay() {
            return super.pay();
        }
    }

    @RestController
    static class ReadsOnly {
        @GetMapping("/payments")
        @Idempotent(mode = Idempotent.Mode.LEASED_RESUME)
        Mono<String> list() {
            return Mono.just("none");
        }
    }

    static class TransactionalRoute {
        @Bean
        Route route() {
            return Route.of("POST /payments", RoutePolicy.of(OperationMode.transactional()));
        }
    }

    private static void isRefused(Class<?> application, String setting, String... because) {
        assertThatThrownBy(
                        () -> ReactiveTestServer.withStore(application, setting).close())
                .satisfies(refused -> assertThat(NestedExceptionUtils.getMostSpecificCause(refused))
                        .hasMessageContainingAll(because));
    }

    @Test
    void transactionalHandlersAreRefused() {
        isRefused(
                SaysTransactional.class,
                SHARED,
                "SaysTransactional.pay is @Idempotent with mode = TRANSACTIONAL, but in WebFlux",
                "a JDBC transaction is bound to one",
                "LEASED_RESUME",
                "LEASED_HOLD");
    }

    @Test
    void handlerThatDoesNotSayHowItRunsIsRefused() {
        isRefused(SaysNothing.class, SHARED, "SaysNothing.pay", "BY_TRANSACTION", "WebFlux", "LEASED_RESUME");
    }

    @Test
    void transactionalRoutesAreRefused() {
        isRefused(TransactionalRoute.class, SHARED, "The route POST /payments is transactional", "WebFlux", "leased");
    }

    @Test
    void handlerThatReadsOnlyIsRefused() {
        isRefused(ReadsOnly.class, SHARED, "ReadsOnly.list is @Idempotent but reads only");
    }

    @Test
    void callersThatWouldShareTheirKeysAreRefused() {
        isRefused(Nothing.class, "--refrain.scope=", "refrain.scope is not set", "define a ReactiveScopeResolver");
        isRefused(Nothing.class, "--refrain.scope=everyone", "may be principal or shared");
    }

    @Test
    void withTheSettingOrOfItsOwnAccordItStarts() {
        for (String setting : new String[] {SHARED, "--refrain.scope=principal"}) {
            try (var server = ReactiveTestServer.withStore(Nothing.class, setting)) {
                assertThat(server.context().getBean(RefrainWebFilter.class)).isNotNull();
            }
        }
        try (var server = ReactiveTestServer.withStore(Nothing.class, "--refrain.enabled=false")) {
            assertThat(server.context().getBeansOfType(RefrainWebFilter.class)).isEmpty();
        }
    }

    @Test
    void noServletsAreNeeded() {
        new ReactiveWebApplicationContextRunner()
                .withClassLoader(new FilteredClassLoader("jakarta.servlet", "org.springframework.web.servlet"))
                .withConfiguration(AutoConfigurations.of(
                        BootParts.HTTP_HANDLER,
                        BootParts.WEB_FLUX,
                        RefrainAutoConfiguration.class,
                        RefrainWebMvcAutoConfiguration.class,
                        RefrainWebFluxAutoConfiguration.class))
                .withBean(MemoryStore.class, () -> new MemoryStore())
                .withPropertyValues("refrain.scope=shared")
                .run(context -> assertThat(context).hasNotFailed().hasSingleBean(RefrainWebFilter.class));
    }
}
