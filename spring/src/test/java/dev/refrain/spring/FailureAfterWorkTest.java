package dev.refrain.spring;

import static dev.refrain.http.cases.RawHttpRequest.post;
import static org.assertj.core.api.Assertions.assertThat;

import dev.refrain.api.EffectUnknownException;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.BeanWrapperImpl;
import org.springframework.boot.WebApplicationType;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.MethodParameter;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DefaultDataBufferFactory;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.validation.method.MethodValidationResult;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.method.annotation.HandlerMethodValidationException;
import org.springframework.web.reactive.result.method.annotation.AbstractMessageReaderArgumentResolver;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.ServerWebExchangeDecorator;
import org.springframework.web.server.ServerWebInputException;
import org.springframework.web.server.UnsupportedMediaTypeStatusException;
import org.springframework.web.server.WebFilter;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** A handler that has worked and then fails is not taken for one that was refused, whatever it throws and however it is mapped. */
class FailureAfterWorkTest {

    private static final AtomicInteger RUNS = new AtomicInteger();

    /** Spring makes its arguments by the same means, and throws the same. */
    public static final class Row {
        private int amount;

        public int getAmount() {
            return amount;
        }

        public void setAmount(int amount) {
            this.amount = amount;
        }

        static String withoutItsAmount() {
            new BeanWrapperImpl(new Row()).setPropertyValue("amount", null);
            return "never";
        }
    }

    @RestController
    static class Shop {
        @PostMapping("/charges")
        @Idempotent(mode = Idempotent.Mode.LEASED_HOLD)
        String charge(@RequestBody String body) {
            RUNS.incrementAndGet();
            return "charged";
        }

        @PostMapping("/at-once")
        @Idempotent(mode = Idempotent.Mode.LEASED_HOLD)
        String atOnce(@RequestBody String body) {
            RUNS.incrementAndGet();
            return Row.withoutItsAmount();
        }

        @PostMapping("/unknown")
        @Idempotent(mode = Idempotent.Mode.LEASED_HOLD)
        String unknown(@RequestBody String body) {
            RUNS.incrementAndGet();
            throw new EffectUnknownException("The bank did not answer.", null);
        }

        @PostMapping("/later")
        @Idempotent(mode = Idempotent.Mode.LEASED_HOLD)
        CompletableFuture<String> later(@RequestBody String body) {
            RUNS.incrementAndGet();
            return CompletableFuture.supplyAsync(Row::withoutItsAmount);
        }

        @PostMapping("/large")
        @Idempotent(mode = Idempotent.Mode.LEASED_HOLD)
        void large(@RequestBody String body, HttpServletResponse response) throws IOException {
            response.getOutputStream().write(new byte[2 << 20]);
            throw new IllegalStateException("in the middle");
        }
    }

    @RestController
    static class ReactiveShop {
        @PostMapping("/at-once")
        @Idempotent(mode = Idempotent.Mode.LEASED_HOLD)
        Mono<String> atOnce(@RequestBody String body) {
            return Mono.defer(() -> {
                RUNS.incrementAndGet();
                return Mono.error(new UnsupportedMediaTypeStatusException(MediaType.TEXT_PLAIN, List.of()));
            });
        }

        /** Throws at once, or later, what Spring throws for arguments that it cannot resolve, down to the frames of its stack. */
        @PostMapping({"/unsupported", "/of-a-parameter", "/of-another-method"})
        @Idempotent(mode = Idempotent.Mode.LEASED_HOLD)
        Mono<String> asSpring(@RequestBody String body, ServerWebExchange exchange) throws NoSuchMethodException {
            RUNS.incrementAndGet();
            var failure = springFailure(exchange.getRequest().getPath().value());
            if (body.contains("now")) {
                throw failure;
            }
            return Mono.error(failure);
        }

        private static RuntimeException springFailure(String path) throws NoSuchMethodException {
            var another = ReactiveShop.class.getDeclaredMethod("large", String.class);
            return switch (path) {
                case "/unsupported" -> {
                    var unread = new UnsupportedMediaTypeStatusException(MediaType.TEXT_PLAIN, List.of());
                    unread.setStackTrace(new StackTraceElement[] {
                        new StackTraceElement(
                                AbstractMessageReaderArgumentResolver.class.getName(), "readBody", "Spring.java", 1)
                    });
                    yield unread;
                }
                case "/of-a-parameter" ->
                    new ServerWebInputException("no such account", new MethodParameter(another, 0), null);
                default ->
                    new HandlerMethodValidationException(
                            MethodValidationResult.create(new ReactiveShop(), another, List.of()));
            };
        }

        @PostMapping("/large")
        @Idempotent(mode = Idempotent.Mode.LEASED_HOLD)
        Flux<DataBuffer> large(@RequestBody String body) {
            return Flux.range(0, 40)
                    .map(i -> (DataBuffer) DefaultDataBufferFactory.sharedInstance.wrap(new byte[64 << 10]))
                    .concatWith(Flux.error(new IllegalStateException("in the middle")));
        }
    }

    enum Server {
        TOMCAT(WebApplicationType.SERVLET, Shop.class, WebServerConfigurations.OnTomcat.class),
        JETTY(WebApplicationType.SERVLET, Shop.class, WebServerConfigurations.OnJetty.class),
        NETTY(WebApplicationType.REACTIVE, ReactiveShop.class, WebServerConfigurations.OnNetty.class);

        private final WebApplicationType type;
        private final Class<?>[] parts;

        Server(WebApplicationType type, Class<?>... parts) {
            this.type = type;
            this.parts = parts;
        }

        TestApplication start() {
            return TestApplication.start(type, beans -> {}, parts);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class WithAMappingOfItsOwn {
        @Bean
        RequestMappingHandlerMapping ownMapping() {
            var mapping = new RequestMappingHandlerMapping();
            mapping.setOrder(-1);
            return mapping;
        }
    }

    @BeforeEach
    void nothingHasRun() {
        RUNS.set(0);
    }

    private static void runsOnce(TestApplication application, String path) throws IOException {
        runsOnce(application, path, "{}");
    }

    private static void runsOnce(TestApplication application, String path, String body) throws IOException {
        String key = UUID.randomUUID().toString();
        int first = application.send(post(path).key(key).json(body)).status();
        var again = application.send(post(path).key(key).json(body));

        assertThat(RUNS).as(path).hasValue(1);
        assertThat(again.replayed()).isTrue();
        assertThat(again.status()).isEqualTo(first);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/at-once", "/later"})
    void argumentExceptionThrownByTheHandlerIsAFailure(String path) throws Exception {
        try (var application = Server.TOMCAT.start()) {
            runsOnce(application, path);
        }
    }

    @Test
    void handlerThatDoesNotKnowItsEffectNeedsAttention() throws Exception {
        try (var application = Server.TOMCAT.start()) {
            String key = UUID.randomUUID().toString();
            var first = application.send(post("/unknown").key(key).json("{}"));
            var again = application.send(post("/unknown").key(key).json("{}"));

            assertThat(RUNS).hasValue(1);
            for (var answer : List.of(first, again)) {
                assertThat(answer.body()).contains("urn:refrain:problem:outcome-unknown");
                assertThat(answer.replayed()).isFalse();
            }
        }
    }

    @Test
    void failureAfterWorkRunsOnceInWebFluxToo() throws Exception {
        try (var application = Server.NETTY.start()) {
            for (String path : List.of("/at-once", "/unsupported", "/of-a-parameter", "/of-another-method")) {
                for (String body : List.of("{}", "{\"now\":1}")) {
                    RUNS.set(0);
                    runsOnce(application, path, body);
                }
            }
        }
    }

    /** A filter behind Refrain's that does the work itself, passes on another exchange, or dispatches twice. */
    @Configuration(proxyBeanMethods = false)
    static class WorkingFilters {
        @Bean
        WebFilter working() {
            return (exchange, chain) -> switch (exchange.getRequest().getPath().value()) {
                case "/at-once" -> {
                    RUNS.incrementAndGet();
                    exchange.getResponse().setStatusCode(HttpStatus.ACCEPTED);
                    yield exchange.getResponse().setComplete();
                }
                case "/of-a-parameter" -> chain.filter(new WithoutAttributes(exchange));
                default -> chain.filter(exchange);
            };
        }
    }

    private static final class WithoutAttributes extends ServerWebExchangeDecorator {
        private final Map<String, Object> attributes = new ConcurrentHashMap<>();

        WithoutAttributes(ServerWebExchange exchange) {
            super(exchange);
        }

        @Override
        public Map<String, Object> getAttributes() {
            return attributes;
        }
    }

    @Test
    void filterOfWebFluxThatWorksOrHidesTheHandlerFreesNothing() throws Exception {
        try (var application = TestApplication.start(
                WebApplicationType.REACTIVE,
                beans -> {},
                ReactiveShop.class,
                WebServerConfigurations.OnNetty.class,
                WorkingFilters.class)) {
            for (String path : List.of("/at-once", "/of-a-parameter")) {
                RUNS.set(0);
                runsOnce(application, path, "{}");
            }
        }
    }

    @Test
    void mappingOfTheApplicationsOwnIsProtectedToo() throws Exception {
        try (var application = TestApplication.start(
                WebApplicationType.SERVLET,
                beans -> {},
                Shop.class,
                WebServerConfigurations.OnTomcat.class,
                WithAMappingOfItsOwn.class)) {
            runsOnce(application, "/charges");
        }
    }

    @ParameterizedTest
    @EnumSource
    void answerThatFailsInTheMiddleIsNotTakenForAWholeOne(Server server) throws Exception {
        try (var application = server.start()) {
            int port = ServerPort.of(application.context());
            assertThat(everything(port)).startsWith("HTTP/1.1 200").doesNotEndWith("\r\n0\r\n\r\n");
        }
    }

    /** Until the server ends the connection, whichever way. */
    private static String everything(int port) throws IOException {
        try (var socket = new Socket("127.0.0.1", port)) {
            socket.setSoTimeout(10_000);
            socket.getOutputStream()
                    .write(("POST /large HTTP/1.1\r\nHost: shop\r\nIdempotency-Key: " + UUID.randomUUID()
                                    + "\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}")
                            .getBytes(StandardCharsets.US_ASCII));
            var all = new StringBuilder();
            var piece = new byte[1 << 16];
            try {
                for (int read = socket.getInputStream().read(piece);
                        read >= 0;
                        read = socket.getInputStream().read(piece)) {
                    all.append(new String(piece, 0, read, StandardCharsets.ISO_8859_1));
                }
            } catch (java.net.SocketException reset) {
                return all.toString();
            }
            return all.toString();
        }
    }
}
