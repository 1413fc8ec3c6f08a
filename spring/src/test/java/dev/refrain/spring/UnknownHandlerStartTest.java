package dev.refrain.spring;

import static dev.refrain.http.cases.RawHttpRequest.post;
import static org.assertj.core.api.Assertions.assertThat;

import dev.refrain.api.LeaseExpiryPolicy;
import dev.refrain.http.OperationMode;
import dev.refrain.http.Route;
import dev.refrain.http.RoutePolicy;
import jakarta.servlet.Filter;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.boot.web.servlet.ServletRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.Ordered;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.MissingServletRequestParameterException;
import org.springframework.web.bind.annotation.ModelAttribute;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseBody;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.HandlerAdapter;
import org.springframework.web.servlet.ModelAndView;
import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.RouterFunctions;
import org.springframework.web.servlet.function.ServerResponse;

/** Where nothing proves that a handler was not entered it has begun: whatever is thrown and by whom, its key is not freed. */
class UnknownHandlerStartTest {

    private static final AtomicInteger RUNS = new AtomicInteger();
    private static final TestApplication SERVER = TestApplication.start(
            WebApplicationType.SERVLET, beans -> {}, Application.class, WebServerConfigurations.OnTomcat.class);

    private static Exception asIfAnArgumentWereMissing() {
        return new MissingServletRequestParameterException("amount", "int");
    }

    /** Run by an adapter that Refrain has never seen. */
    @RestController
    static class ForeignShop {
        @PostMapping("/foreign-adapter")
        @Idempotent(mode = Idempotent.Mode.LEASED_HOLD)
        String charge(@RequestParam int amount) {
            return "charged";
        }
    }

    @Controller
    static class Shop {

        @PostMapping("/forwarding")
        @Idempotent(mode = Idempotent.Mode.LEASED_HOLD)
        String forward() {
            RUNS.incrementAndGet();
            return "forward:/needing";
        }

        /** Fails for want of an argument, after the work of whoever forwards to it. */
        @RequestMapping("/needing")
        @ResponseBody
        String need(@RequestParam int amount) {
            return "never";
        }

        @PostMapping("/behind-async-filter")
        @Idempotent(mode = Idempotent.Mode.LEASED_HOLD)
        @ResponseBody
        String behindAsyncFilter() {
            return "run " + RUNS.incrementAndGet();
        }

        @PostMapping("/served-elsewhere")
        @Idempotent(mode = Idempotent.Mode.LEASED_HOLD)
        @ResponseBody
        String servedElsewhere() {
            return "never";
        }
    }

    /** What it needs for its model is made again when its answer is there, and fails then. */
    @RestController
    static class AsyncShop {

        @ModelAttribute("amount")
        int amount(HttpServletRequest request) throws Exception {
            if (RUNS.get() > 0) {
                throw asIfAnArgumentWereMissing();
            }
            return 1;
        }

        @PostMapping("/model-after-work")
        @Idempotent(mode = Idempotent.Mode.LEASED_HOLD)
        Callable<String> charge() {
            return () -> "run " + RUNS.incrementAndGet();
        }
    }

    static final class ForeignAdapter implements HandlerAdapter, Ordered {
        @Override
        public int getOrder() {
            return HIGHEST_PRECEDENCE;
        }

        @Override
        public boolean supports(Object handler) {
            return handler instanceof HandlerMethod method && method.getBeanType() == ForeignShop.class;
        }

        @Override
        public @Nullable ModelAndView handle(HttpServletRequest request, HttpServletResponse response, Object handler)
                throws Exception {
            RUNS.incrementAndGet();
            throw asIfAnArgumentWereMissing();
        }

        /** Framework 6 asks for it, and has deprecated it. */
        @SuppressWarnings("deprecation")
        public long getLastModified(HttpServletRequest request, Object handler) {
            return -1;
        }
    }

    /** Works, and says that it failed. */
    static final class PlainServlet extends HttpServlet {
        private static final long serialVersionUID = 1L;

        @Override
        protected void doPost(HttpServletRequest request, HttpServletResponse response) {
            RUNS.incrementAndGet();
            response.setStatus(422);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @Import({ForeignShop.class, Shop.class, AsyncShop.class})
    static class Application {
        @Bean
        ForeignAdapter foreignAdapter() {
            return new ForeignAdapter();
        }

        @Bean
        RouterFunction<ServerResponse> functional() {
            return RouterFunctions.route()
                    .POST("/functional", request -> {
                        RUNS.incrementAndGet();
                        throw asIfAnArgumentWereMissing();
                    })
                    .build();
        }

        @Bean
        Route functionalRoute() {
            return Route.of("POST /functional", RoutePolicy.of(OperationMode.leased(LeaseExpiryPolicy.HOLD)));
        }

        @Bean
        ServletRegistrationBean<PlainServlet> plain() {
            return new ServletRegistrationBean<>(new PlainServlet(), "/plain");
        }

        @Bean
        FilterRegistrationBean<Filter> behind() {
            var registration = new FilterRegistrationBean<Filter>((request, response, chain) -> {
                switch (((HttpServletRequest) request).getRequestURI()) {
                    case "/behind-async-filter" -> request.startAsync().dispatch();
                    case "/served-elsewhere" -> forward(request, response);
                    default -> chain.doFilter(request, response);
                }
            });
            registration.setOrder(100);
            registration.setAsyncSupported(true);
            return registration;
        }

        private static void forward(jakarta.servlet.ServletRequest request, jakarta.servlet.ServletResponse response)
                throws IOException, ServletException {
            var plain = request.getRequestDispatcher("/plain");
            assertThat(plain).isNotNull();
            plain.forward(request, response);
        }
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
    @ValueSource(
            strings = {
                "/foreign-adapter",
                "/functional",
                "/forwarding",
                "/behind-async-filter",
                "/model-after-work",
                "/served-elsewhere"
            })
    void keyIsConsumedIfTheHandlerMayHaveStarted(String path) throws Exception {
        var request = post(path).key(UUID.randomUUID().toString()).json("{}");

        int first = SERVER.send(request).status();
        var again = SERVER.send(request);

        assertThat(RUNS).hasValue(1);
        assertThat(again.replayed()).isTrue();
        assertThat(again.status()).isEqualTo(first);
    }
}
