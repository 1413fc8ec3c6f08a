package dev.refrain.spring;

import static dev.refrain.http.cases.RawHttpRequest.post;
import static org.assertj.core.api.Assertions.assertThat;

import dev.refrain.http.cases.RawHttpRequest;
import dev.refrain.http.cases.RawHttpResponse;
import jakarta.servlet.Filter;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.aopalliance.intercept.MethodInterceptor;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.aop.support.annotation.AnnotationMatchingPointcut;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Role;
import org.springframework.security.access.AccessDeniedException;
import org.springframework.security.access.prepost.PreAuthorize;
import org.springframework.security.authentication.TestingAuthenticationToken;
import org.springframework.security.config.annotation.method.configuration.EnableMethodSecurity;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.ModelAttribute;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** What method security refuses before a handler begins is not its outcome; what it refuses further inside is. */
class MethodSecurityTest {

    private static final AtomicInteger RUNS = new AtomicInteger();
    private static final TestApplication SERVER =
            TestApplication.start(WebApplicationType.SERVLET, beans -> {}, Application.class);

    @RestController
    static class Shop {

        private final Vault vault;

        Shop(Vault vault) {
            this.vault = vault;
        }

        @PostMapping("/held")
        @Idempotent(mode = Idempotent.Mode.LEASED_HOLD)
        @PreAuthorize("hasRole('CLERK')")
        String held() {
            return "run " + RUNS.incrementAndGet();
        }

        @PostMapping("/kept")
        @Idempotent(mode = Idempotent.Mode.LEASED_RESUME, profile = Idempotent.Profile.STRIPE)
        @PreAuthorize("hasRole('CLERK')")
        public String kept() {
            return "run " + RUNS.incrementAndGet();
        }

        /** Denied only after it has begun. */
        @PostMapping({"/inside", "/elsewhere"})
        @Idempotent(mode = Idempotent.Mode.LEASED_HOLD)
        @PreAuthorize("permitAll()")
        public String inside() {
            RUNS.incrementAndGet();
            return vault.open();
        }

        /** No wrapping can override it. */
        @PostMapping("/final")
        @Idempotent(mode = Idempotent.Mode.LEASED_HOLD)
        public final String ofItsOwn() {
            RUNS.incrementAndGet();
            throw new AccessDeniedException("by itself");
        }
    }

    /** Answers denials itself, by a method of the same wrapped controller. */
    @RestController
    @RequestMapping("/answering")
    static class Answering {

        /** Spring calls it first, through the same wrapping. */
        @ModelAttribute("shop")
        public String shop() {
            return "open";
        }

        @PostMapping
        @Idempotent(mode = Idempotent.Mode.LEASED_HOLD)
        @PreAuthorize("hasRole('CLERK')")
        public String answered() {
            return "run " + RUNS.incrementAndGet();
        }

        @ExceptionHandler(AccessDeniedException.class)
        @ResponseStatus(org.springframework.http.HttpStatus.FORBIDDEN)
        public String denied() {
            return "not you";
        }
    }

    /** Not wrapped itself: calls a handler of another controller after its own work. */
    @RestController
    static class Calling {

        private final Shop shop;

        Calling(Shop shop) {
            this.shop = shop;
        }

        @PostMapping("/calling")
        @Idempotent(mode = Idempotent.Mode.LEASED_HOLD)
        String call() {
            RUNS.incrementAndGet();
            return shop.kept();
        }
    }

    static class Vault {
        @PreAuthorize("hasRole('CLERK')")
        public String open() {
            return "opened";
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableMethodSecurity
    @Import({Shop.class, Answering.class, Calling.class, Vault.class})
    static class Application {

        /** Stands in front of Refrain's, as the filters of Spring Security do: says who asks, and turns a denial into a 403. */
        @Bean
        FilterRegistrationBean<Filter> inFront() {
            var registration = new FilterRegistrationBean<Filter>((request, response, chain) -> {
                var role = ((HttpServletRequest) request).getHeader("X-Role");
                SecurityContextHolder.getContext()
                        .setAuthentication(new TestingAuthenticationToken("someone", "", "ROLE_" + role));
                try {
                    chain.doFilter(request, response);
                } catch (ServletException e) {
                    if (!(e.getCause() instanceof AccessDeniedException)) {
                        throw e;
                    }
                    ((HttpServletResponse) response).setStatus(403);
                } finally {
                    SecurityContextHolder.clearContext();
                }
            });
            registration.setOrder(-100);
            return registration;
        }

        /** Something around handlers that runs them on another thread, as a time limit does. */
        @Bean
        @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
        static DefaultPointcutAdvisor onAnotherThread() {
            MethodInterceptor moving = invocation -> {
                if (!RunningElsewhere.isAsked()) {
                    return invocation.proceed();
                }
                var security = SecurityContextHolder.getContext();
                try {
                    return CompletableFuture.supplyAsync(() -> {
                                SecurityContextHolder.setContext(security);
                                try {
                                    return invocation.proceed();
                                } catch (Throwable e) {
                                    throw new CompletionException(e);
                                }
                            })
                            .join();
                } catch (CompletionException e) {
                    throw e.getCause();
                }
            };
            var advisor = new DefaultPointcutAdvisor(
                    AnnotationMatchingPointcut.forMethodAnnotation(PostMapping.class), moving);
            advisor.setOrder(1_000);
            return advisor;
        }
    }

    /** Whether the request at hand asks for another thread. */
    private static final class RunningElsewhere {
        static boolean isAsked() {
            return org.springframework.web.context.request.RequestContextHolder.getRequestAttributes()
                            instanceof org.springframework.web.context.request.ServletRequestAttributes current
                    && current.getRequest().getRequestURI().equals("/elsewhere");
        }
    }

    private static RawHttpResponse send(RawHttpRequest request, String role) throws Exception {
        return SERVER.send(request.line("X-Role: " + role));
    }

    private static RawHttpRequest to(String path) {
        return post(path).key(UUID.randomUUID().toString());
    }

    @BeforeEach
    void nothingRan() {
        RUNS.set(0);
    }

    @AfterAll
    static void stop() {
        SERVER.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"/held", "/kept", "/answering"})
    void callerDeniedBeforeTheHandlerBeginsHasConsumedNoKey(String path) throws Exception {
        var request = to(path);

        for (int i = 0; i < 2; i++) {
            var denied = send(request, "GUEST");
            assertThat(denied.status()).isEqualTo(403);
            assertThat(denied.replayed()).isFalse();
        }
        assertThat(RUNS).hasValue(0);

        assertThat(send(request, "CLERK").body()).isEqualTo("run 1");
        assertThat(send(request, "CLERK").replayed()).isTrue();
        assertThat(RUNS).hasValue(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/inside", "/elsewhere", "/final", "/calling"})
    void denialAfterTheHandlerBeganNeverRunsAgain(String path) throws Exception {
        var request = to(path);

        assertThat(send(request, "GUEST").status()).isEqualTo(500);
        var again = send(request, "CLERK");

        assertThat(again.status()).isEqualTo(500);
        assertThat(again.replayed()).isTrue();
        assertThat(RUNS).hasValue(1);
    }

    @Test
    void permittedCallerSucceeds() throws Exception {
        assertThat(send(to("/held"), "CLERK").status()).isEqualTo(200);
        assertThat(send(to("/inside"), "CLERK").body()).isEqualTo("opened");
    }
}
