package dev.refrain.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.refrain.api.LeaseExpiryPolicy;
import dev.refrain.http.KeptRequest;
import dev.refrain.http.KeptRequestRedactor;
import dev.refrain.http.KeptRequestRule;
import dev.refrain.http.OperationMode;
import dev.refrain.http.Route;
import dev.refrain.http.RoutePolicy;
import dev.refrain.spring.internal.handler.ProtectedHandlerRegistry;
import dev.refrain.spring.mvc.RefrainWebMvcAutoConfiguration;
import dev.refrain.spring.webflux.RefrainWebFluxAutoConfiguration;
import dev.refrain.store.memory.MemoryStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.assertj.ApplicationContextAssertProvider;
import org.springframework.boot.test.context.runner.AbstractApplicationContextRunner;
import org.springframework.boot.test.context.runner.ReactiveWebApplicationContextRunner;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.reactive.config.WebFluxConfigurer;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;
import org.springframework.web.util.pattern.PathPatternParser;

/** {@code refrain.routes} goes before what the code says, in MVC and in WebFlux alike. */
class SpringConfiguredRoutesTest {

    @RestController
    @RequestMapping("/v1")
    static class Shop {
        @PostMapping("/charges")
        @Idempotent(mode = Idempotent.Mode.LEASED_RESUME, retention = "48h", profile = Idempotent.Profile.STRIPE)
        String charge() {
            return "";
        }

        @PostMapping("/charges/{id}/refund")
        @Idempotent
        String refund(@PathVariable String id) {
            return id;
        }

        @PostMapping("/notes")
        String note() {
            return "";
        }

        @PostMapping("/declared")
        String declared() {
            return "";
        }
    }

    static class Declaring {
        @Bean
        Route declared() {
            return Route.of("POST /v1/declared", RoutePolicy.of(OperationMode.leased(LeaseExpiryPolicy.HOLD)));
        }
    }

    private static final String REFUND = "refrain.routes.refund.match=POST /v1/charges/{id}/refund";

    static Stream<AbstractApplicationContextRunner<?, ?, ?>> frameworks() {
        return Stream.of(
                prepared(new WebApplicationContextRunner()
                        .withConfiguration(AutoConfigurations.of(
                                RefrainAutoConfiguration.class,
                                RefrainWebMvcAutoConfiguration.class,
                                BootParts.WEB_MVC))),
                prepared(new ReactiveWebApplicationContextRunner()
                        .withConfiguration(AutoConfigurations.of(
                                BootParts.HTTP_HANDLER,
                                BootParts.WEB_FLUX,
                                RefrainAutoConfiguration.class,
                                RefrainWebFluxAutoConfiguration.class))));
    }

    /** The refund does not say how it runs: without the configuration it would be refused. */
    private static AbstractApplicationContextRunner<?, ?, ?> prepared(
            AbstractApplicationContextRunner<?, ?, ?> runner) {
        return runner.withBean(MemoryStore.class, MemoryStore::new)
                .withBean(Shop.class)
                .withPropertyValues("refrain.scope=shared", REFUND, "refrain.routes.refund.mode=leased-hold");
    }

    private static RoutePolicy policyOf(ApplicationContext context, String operation) {
        return context.getBean(ProtectedHandlerRegistry.class).contract().routes().stream()
                .filter(route -> route.name().equals(operation))
                .findFirst()
                .orElseThrow()
                .policy();
    }

    @ParameterizedTest
    @MethodSource("frameworks")
    void routeIsChangedInWhatIsSaidAndNothingElse(AbstractApplicationContextRunner<?, ?, ?> runner) {
        runner.withPropertyValues(
                        "refrain.http.store-timeout=1s",
                        "refrain.routes.charges.match=POST /v1/charges",
                        "refrain.routes.charges.retention=7d",
                        "refrain.routes.charges.in-flight=wait 5s",
                        "refrain.routes.charges.ignored-fields[0]=/sent-at")
                .run(context -> {
                    var policy = policyOf((ApplicationContext) context, "POST /v1/charges");
                    assertThat(policy.replay().retention().duration().orElseThrow())
                            .hasDays(7);
                    assertThat(policy.run().inFlight()).hasToString("wait up to 5.0 s");
                    assertThat(policy.replay().profile().name()).isEqualTo("stripe");
                    assertThat(policy.run().mode()).isEqualTo(OperationMode.leased(LeaseExpiryPolicy.RESUME));
                    assertThat(policy.run().storeTimeout()).hasSeconds(1);
                });
    }

    @RestController
    static class Transfers {
        @PostMapping("/v1/transfers")
        @Idempotent(
                mode = Idempotent.Mode.LEASED_RESUME,
                keepRequest = Idempotent.KeepRequest.ALWAYS,
                redactedFields = "/iban")
        String transfer() {
            return "";
        }
    }

    static class Redacting {
        @Bean
        KeptRequestRedactor nothing() {
            return request -> Optional.empty();
        }
    }

    @ParameterizedTest
    @MethodSource("frameworks")
    void keptRequestIsConfiguredByAnnotationPropertyAndRoute(AbstractApplicationContextRunner<?, ?, ?> runner) {
        runner.withBean(Transfers.class)
                .withUserConfiguration(Declaring.class, Redacting.class)
                .withPropertyValues(
                        "refrain.http.max-kept-request-bytes=8KB",
                        "refrain.http.kept-request-headers=X-Branch",
                        "refrain.http.redacted-fields[0]=/pin",
                        "refrain.routes.charges.match=POST /v1/charges",
                        "refrain.routes.charges.keep-request=never",
                        "refrain.routes.charges.redacted-fields[0]=/card")
                .run(context -> {
                    var transfer = policyOf((ApplicationContext) context, "POST /v1/transfers")
                            .request()
                            .kept();
                    assertThat(transfer.rule()).isEqualTo(KeptRequestRule.ALWAYS);
                    assertThat(transfer.redactedFields()).containsExactly("/pin", "/iban");
                    assertThat(transfer.maxBytes()).isEqualTo(8 << 10);
                    assertThat(transfer.headers()).containsExactly("X-Branch");
                    var charge = policyOf((ApplicationContext) context, "POST /v1/charges")
                            .request()
                            .kept();
                    assertThat(charge.rule()).isEqualTo(KeptRequestRule.NEVER);
                    assertThat(charge.redactedFields()).containsExactly("/pin", "/card");
                    var refund = policyOf((ApplicationContext) context, "POST /v1/charges/{id}/refund")
                            .request()
                            .kept();
                    assertThat(refund.rule()).isEqualTo(KeptRequestRule.ENCRYPTED);
                    assertThat(refund.redactedFields()).containsExactly("/pin");
                    var request = new KeptRequest(
                            "POST", "/", List.of(), 0, new KeptRequest.KeptBody.WithheldBody("in a test"));
                    assertThat(context.getBean(ProtectedHandlerRegistry.class)
                                    .contract()
                                    .routes())
                            .allSatisfy(route -> assertThat(route.policy()
                                            .request()
                                            .kept()
                                            .redactor()
                                            .redact(request))
                                    .as(route.name())
                                    .isEmpty());
                });
    }

    @ParameterizedTest
    @MethodSource("frameworks")
    void configuredRouteWithoutAnAnnotationIsProtected(AbstractApplicationContextRunner<?, ?, ?> runner) {
        runner.withPropertyValues(
                        "refrain.http.retention=36h",
                        "refrain.routes.notes.match=POST /v1/notes",
                        "refrain.routes.notes.mode=leased-resume",
                        "refrain.routes.notes.operation=notes.create")
                .run(context -> {
                    var policy = policyOf((ApplicationContext) context, "notes.create");
                    assertThat(policy.replay().retention().duration().orElseThrow())
                            .hasHours(36);
                    assertThat(policy.run().mode()).isEqualTo(OperationMode.leased(LeaseExpiryPolicy.RESUME));
                });
    }

    @ParameterizedTest
    @MethodSource("frameworks")
    void routeBeanIsChangedToo(AbstractApplicationContextRunner<?, ?, ?> runner) {
        runner.withUserConfiguration(Declaring.class)
                .withPropertyValues(
                        "refrain.routes.declared.match=POST /v1/declared", "refrain.routes.declared.profile=square")
                .run(context -> assertThat(policyOf((ApplicationContext) context, "POST /v1/declared")
                                .replay()
                                .profile()
                                .name())
                        .isEqualTo("square"));
    }

    @ParameterizedTest
    @MethodSource("frameworks")
    void wrongRouteSettingIsNamedAtStart(AbstractApplicationContextRunner<?, ?, ?> runner) {
        refused(
                runner,
                List.of("match=POST /v1/charges", "in-flight=maybe"),
                "refrain.routes.x.in-flight is 'maybe', but may be");
        refused(runner, List.of("match=POST /v1/charges", "retenton=7d"), "refrain.routes.x.retenton");
        refused(
                runner,
                List.of("match=POST /v1/charge"),
                "refrain.routes.x (POST /v1/charge) matches no @Idempotent handler");
        refused(runner, List.of("match=POST /v1/charges/7/refund"), "refrain.routes.x.match", "covers only some");
    }

    /** Functional endpoints of WebFlux are not known at the start. */
    @Test
    void routeThatLeadsNowhereIsRefused() {
        refused(
                frameworks().findFirst().orElseThrow(),
                List.of("match=POST /v1/charge", "mode=leased-hold"),
                "refrain.routes.x.match is 'POST /v1/charge', but no handler is mapped there");
    }

    static class AnyCase {
        @Bean
        WebMvcConfigurer mvc() {
            return new WebMvcConfigurer() {
                @Override
                public void configurePathMatch(
                        org.springframework.web.servlet.config.annotation.PathMatchConfigurer paths) {
                    var parser = new PathPatternParser();
                    parser.setCaseSensitive(false);
                    paths.setPatternParser(parser);
                }
            };
        }

        @Bean
        WebFluxConfigurer webFlux() {
            return new WebFluxConfigurer() {
                @Override
                public void configurePathMatching(org.springframework.web.reactive.config.PathMatchConfigurer paths) {
                    paths.setUseCaseSensitiveMatch(false);
                }
            };
        }
    }

    /** Otherwise POST /v1/NOTES would run unprotected. */
    @ParameterizedTest
    @MethodSource("frameworks")
    void declaredRoutesAreRefusedWhereSpringIgnoresCase(AbstractApplicationContextRunner<?, ?, ?> runner) {
        var anyCase = runner.withUserConfiguration(AnyCase.class);
        anyCase.run(context -> assertThat(((ApplicationContextAssertProvider<?>) context).getStartupFailure())
                .as("annotated handlers are found by Spring itself")
                .isNull());
        refused(
                anyCase,
                List.of("match=POST /v1/notes", "mode=leased-hold"),
                "The route POST /v1/notes matches its path case-sensitively",
                "@Idempotent");
    }

    @ParameterizedTest
    @MethodSource("frameworks")
    void weakerProtectionIsLogged(AbstractApplicationContextRunner<?, ?, ?> runner) {
        var logged = new ArrayList<String>();
        var logger = Logger.getLogger(ProtectedHandlerRegistry.class.getName());
        var handler = new Handler() {
            @Override
            public void publish(LogRecord line) {
                logged.add(line.getMessage());
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };
        logger.addHandler(handler);
        // Other applications in this process are told to log errors only.
        logger.setLevel(Level.WARNING);
        try {
            runner.withPropertyValues(
                            "refrain.routes.charges.match=POST /v1/charges",
                            "refrain.routes.charges.key-requirement=optional")
                    .run(
                            context -> assertThat(logged)
                                    .singleElement()
                                    .asString()
                                    .contains(
                                            "refrain.routes.charges lets requests run unprotected that Shop.charge would have rejected"));
        } finally {
            logger.removeHandler(handler);
        }
    }

    private static void refused(AbstractApplicationContextRunner<?, ?, ?> runner, List<String> x, String... because) {
        runner.withPropertyValues(x.stream().map(s -> "refrain.routes.x." + s).toArray(String[]::new))
                .run(context -> assertThat(NestedExceptionUtils.getMostSpecificCause(
                                ((ApplicationContextAssertProvider<?>) context).getStartupFailure()))
                        .hasMessageContainingAll(because));
    }
}
