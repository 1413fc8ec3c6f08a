package dev.refrain.spring;

import static dev.refrain.http.cases.RawHttpRequest.post;
import static org.assertj.core.api.Assertions.assertThat;

import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.BeanWrapperImpl;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DefaultDataBufferFactory;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.UnsupportedMediaTypeStatusException;
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
                return Mono.error(new UnsupportedMediaTypeStatusException(MediaType.TEXT_PLAIN, java.util.List.of()));
            });
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
        String key = UUID.randomUUID().toString();
        int first = application.send(post(path).key(key).json("{}")).status();
        var again = application.send(post(path).key(key).json("{}"));

        assertThat(RUNS).hasValue(1);
        assertThat(again.replayed()).isTrue();
        assertThat(again.status()).isEqualTo(first);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/at-once", "/later"})
    void whatSpringThrowsForArgumentsIsAFailureWhenTheHandlerThrowsIt(String path) throws Exception {
        try (var application = Server.TOMCAT.start()) {
            runsOnce(application, path);
        }
    }

    @Test
    void theSameHoldsInWebFlux() throws Exception {
        try (var application = Server.NETTY.start()) {
            runsOnce(application, "/at-once");
        }
    }

    @Test
    void aMappingOfTheApplicationsOwnIsProtectedToo() throws Exception {
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
    void anAnswerThatFailsInTheMiddleIsNotTakenForAWholeOne(Server server) throws Exception {
        try (var application = server.start()) {
            int port = ((WebServerApplicationContext) application.context())
                    .getWebServer()
                    .getPort();
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
