package dev.refrain.spring;

import static dev.refrain.http.cases.RawHttpRequest.post;
import static org.assertj.core.api.Assertions.assertThat;

import dev.refrain.Refrain;
import dev.refrain.api.ScopedKey;
import dev.refrain.http.cases.RawHttpRequest;
import dev.refrain.http.edge.RouteProtection;
import dev.refrain.store.RecordState;
import jakarta.servlet.Filter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.validation.Valid;
import jakarta.validation.constraints.Min;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.CrossOrigin;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;
import org.springframework.web.server.WebFilter;
import org.springframework.web.servlet.HandlerInterceptor;
import org.springframework.web.servlet.config.annotation.InterceptorRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

/** What never reached a handler's work is not its outcome, even where every failure of the work would be kept. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RefusalBeforeWorkTest {

    private static final AtomicInteger RUNS = new AtomicInteger();
    private static final String GOOD = "{\"amount\":1}";

    record Charge(@Min(1) int amount) {}

    @RestController
    @CrossOrigin(origins = "https://shop.example")
    static class Shop {

        @PostMapping("/charges")
        @Idempotent(mode = Idempotent.Mode.LEASED_HOLD)
        String charge(@Valid @RequestBody Charge charge) {
            RUNS.incrementAndGet();
            return "charged";
        }

        @PostMapping(path = "/consuming", consumes = "application/json")
        @Idempotent(mode = Idempotent.Mode.LEASED_HOLD)
        String consume(@RequestBody Charge charge) {
            RUNS.incrementAndGet();
            return "charged";
        }

        @PostMapping("/asking")
        @Idempotent(mode = Idempotent.Mode.LEASED_HOLD)
        String ask(@RequestParam int times, @RequestBody Charge charge) {
            RUNS.incrementAndGet();
            return "charged";
        }
    }

    /** Only where there are servlets. */
    @RestController
    static class Refusing implements WebMvcConfigurer, HandlerInterceptor {

        @PostMapping("/poor")
        @Idempotent(mode = Idempotent.Mode.LEASED_HOLD)
        void refuse(@RequestBody Charge charge, HttpServletResponse response) throws IOException {
            RUNS.incrementAndGet();
            response.sendError(402, "no funds");
        }

        @Override
        public void addInterceptors(InterceptorRegistry registry) {
            registry.addInterceptor(this);
        }

        @Override
        public boolean preHandle(HttpServletRequest request, HttpServletResponse response, Object handler)
                throws IOException {
            switch (Optional.ofNullable(request.getHeader("X-Refuse")).orElse("")) {
                case "status" -> response.setStatus(401);
                case "body" -> {
                    response.setStatus(403);
                    response.getWriter().write("not you");
                }
                case "error" -> response.sendError(403, "not you");
                case "thrown" -> throw new ResponseStatusException(HttpStatus.FORBIDDEN, "not you");
                default -> {
                    return true;
                }
            }
            return false;
        }

        @Bean
        FilterRegistrationBean<Filter> filterBehind() {
            var registration = new FilterRegistrationBean<Filter>((request, response, chain) -> {
                if ("filter".equals(((HttpServletRequest) request).getHeader("X-Refuse"))) {
                    ((HttpServletResponse) response).setStatus(403);
                } else {
                    chain.doFilter(request, response);
                }
            });
            registration.setOrder(100);
            return registration;
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class ReactiveRefusing {
        @Bean
        @Order(100)
        WebFilter filterBehind() {
            return (exchange, chain) -> {
                if (!"filter".equals(exchange.getRequest().getHeaders().getFirst("X-Refuse"))) {
                    return chain.filter(exchange);
                }
                exchange.getResponse().setStatusCode(HttpStatus.FORBIDDEN);
                return exchange.getResponse().setComplete();
            };
        }
    }

    enum Server {
        TOMCAT(WebApplicationType.SERVLET, Shop.class, WebServerConfigurations.OnTomcat.class, Refusing.class),
        JETTY(WebApplicationType.SERVLET, Shop.class, WebServerConfigurations.OnJetty.class, Refusing.class),
        NETTY(WebApplicationType.REACTIVE, Shop.class, WebServerConfigurations.OnNetty.class, ReactiveRefusing.class);

        private final WebApplicationType type;
        private final Class<?>[] parts;

        Server(WebApplicationType type, Class<?>... parts) {
            this.type = type;
            this.parts = parts;
        }

        boolean hasServlets() {
            return type == WebApplicationType.SERVLET;
        }
    }

    /**
     * @param sound the same request, but for what is refused: it may run under the same key
     * @param servletsOnly WebFlux has no interceptors
     */
    private record Refusal(int status, RawHttpRequest request, Optional<RawHttpRequest> sound, boolean servletsOnly) {
        static Refusal of(int status, RawHttpRequest request) {
            return new Refusal(status, request, Optional.empty(), false);
        }

        static Refusal byHeader(int status, String header) {
            var sound = post("/charges").json(GOOD);
            return new Refusal(status, sound.line(header), Optional.of(sound), false);
        }

        Refusal whereServletsAre() {
            return new Refusal(status, request, sound, true);
        }
    }

    private static final Map<String, Refusal> REFUSALS = Map.ofEntries(
            Map.entry("no handler", Refusal.of(404, post("/nowhere").json(GOOD))),
            Map.entry(
                    "another method", Refusal.of(405, post("/charges").by("PUT").json(GOOD))),
            Map.entry(
                    "a type the mapping does not take",
                    Refusal.of(415, post("/consuming").body("text/xml", "<a/>"))),
            Map.entry("a type nothing reads", Refusal.of(415, post("/charges").body("text/xml", "<a/>"))),
            Map.entry("unreadable", Refusal.of(400, post("/charges").json("{"))),
            Map.entry("not valid", Refusal.of(400, post("/charges").json("{\"amount\":0}"))),
            Map.entry("a parameter is missing", Refusal.of(400, post("/asking").json(GOOD))),
            Map.entry(
                    "a parameter is of another type",
                    Refusal.of(400, post("/asking?times=x").json(GOOD))),
            Map.entry("another origin", Refusal.byHeader(403, "Origin: https://evil.example")),
            Map.entry("a filter behind", Refusal.byHeader(403, "X-Refuse: filter")),
            Map.entry(
                    "an interceptor by its status",
                    Refusal.byHeader(401, "X-Refuse: status").whereServletsAre()),
            Map.entry(
                    "an interceptor with a body",
                    Refusal.byHeader(403, "X-Refuse: body").whereServletsAre()),
            Map.entry(
                    "an interceptor by sendError",
                    Refusal.byHeader(403, "X-Refuse: error").whereServletsAre()),
            Map.entry(
                    "an interceptor that throws",
                    Refusal.byHeader(403, "X-Refuse: thrown").whereServletsAre()));

    private final Map<Server, TestApplication> started = new EnumMap<>(Server.class);

    private TestApplication on(Server server) {
        return started.computeIfAbsent(server, s -> TestApplication.start(s.type, beans -> {}, s.parts));
    }

    @AfterAll
    void stop() {
        started.values().forEach(TestApplication::close);
    }

    private Optional<RecordState> state(Server server, String key) {
        return on(server)
                .context()
                .getBean(Refrain.class)
                .admin()
                .find(new ScopedKey("", RouteProtection.NAMESPACE, key))
                .map(record -> record.state());
    }

    static Stream<Arguments> refusals() {
        var all = new ArrayList<Arguments>();
        for (var server : Server.values()) {
            REFUSALS.forEach((name, refusal) -> {
                if (server.hasServlets() || !refusal.servletsOnly()) {
                    all.add(Arguments.of(server, name));
                }
            });
        }
        return all.stream();
    }

    @ParameterizedTest
    @MethodSource("refusals")
    void refusalBeforeWorkDoesNotConsumeTheKey(Server server, String name) throws Exception {
        var refusal = REFUSALS.get(name);
        RUNS.set(0);
        String key = UUID.randomUUID().toString();

        for (int i = 0; i < 2; i++) {
            var answer = on(server).send(refusal.request().key(key));
            assertThat(answer.status()).isEqualTo(refusal.status());
            assertThat(answer.replayed()).isFalse();
        }
        assertThat(state(server, key)).isIn(Optional.empty(), Optional.of(RecordState.RELEASED));
        assertThat(RUNS).hasValue(0);

        if (refusal.sound().isPresent()) {
            assertThat(on(server).send(refusal.sound().get().key(key)).status()).isEqualTo(200);
            assertThat(on(server).send(refusal.sound().get().key(key)).replayed())
                    .isTrue();
            assertThat(RUNS).hasValue(1);
        }
    }

    /** The page of an error that the handler itself sends is its answer, and the same again. */
    @ParameterizedTest
    @EnumSource(names = {"TOMCAT", "JETTY"})
    void keptErrorPageIsReplayedByteForByte(Server server) throws Exception {
        RUNS.set(0);
        var request = post("/poor").key(UUID.randomUUID().toString()).json(GOOD);

        var first = on(server).send(request);
        var again = on(server).send(request);

        assertThat(first.status()).isEqualTo(402);
        assertThat(first.body()).contains("\"status\":402", "\"path\":\"/poor\"");
        assertThat(first.header("Content-Type"))
                .hasValueSatisfying(type -> assertThat(type).startsWith("application/json"));
        assertThat(again.replayed()).isTrue();
        assertThat(List.of(again.status(), again.body(), again.header("Content-Type")))
                .isEqualTo(List.of(first.status(), first.body(), first.header("Content-Type")));
        assertThat(RUNS).hasValue(1);
    }
}
