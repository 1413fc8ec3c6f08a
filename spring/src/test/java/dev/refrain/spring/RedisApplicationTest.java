package dev.refrain.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.refrain.flow.FlowRunner;
import dev.refrain.servers.RedisServer;
import dev.refrain.spring.internal.boot.BootNames;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.sql.Connection;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.beans.factory.UnsatisfiedDependencyException;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Service;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** An application with its keys in Redis and without a database: its handlers in either web framework, and its methods. */
@ExtendWith(OutputCaptureExtension.class)
class RedisApplicationTest {

    private static final HttpClient CLIENT = HttpClient.newHttpClient();

    private static RedisServer server;

    @Service
    static class Charges {
        private final AtomicInteger runs = new AtomicInteger();

        @Idempotent(key = "#id", mode = Idempotent.Mode.LEASED_RESUME)
        public String charge(String id) {
            return "charge " + runs.incrementAndGet() + " of " + id;
        }
    }

    @RestController
    static class Payments {
        private final AtomicInteger runs = new AtomicInteger();
        private final Charges charges;

        Payments(Charges charges) {
            this.charges = charges;
        }

        @PostMapping("/payments")
        @ResponseStatus(HttpStatus.CREATED)
        @Idempotent(mode = Idempotent.Mode.LEASED_HOLD)
        public String pay(@RequestBody String what) {
            return "payment " + runs.incrementAndGet() + " of " + what;
        }

        @PostMapping("/charges/{id}")
        public String charge(@PathVariable("id") String id) {
            return charges.charge(id);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import({Payments.class, Charges.class})
    static class Application {}

    @Configuration(proxyBeanMethods = false)
    static class OnNetty {

        /** Tomcat is on the class path of these tests too. */
        @Bean
        BootParts.Netty netty() {
            return new BootParts.Netty();
        }
    }

    private static ConfigurableApplicationContext start(WebApplicationType type, String url, Class<?>... more) {
        var application = type == WebApplicationType.REACTIVE
                ? new SpringApplication(Application.class, OnNetty.class)
                : new SpringApplication(Application.class);
        application.addPrimarySources(List.of(more));
        application.setWebApplicationType(type);
        return application.run(
                "--server.port=0",
                "--server.address=127.0.0.1",
                "--refrain.scope=shared",
                "--refrain.store.url=" + url,
                "--spring.main.banner-mode=off",
                "--spring.autoconfigure.exclude=" + BootNames.DATA_SOURCE,
                "--logging.level.root=error");
    }

    /** As a process of its own: tells its port, and serves until it is killed. */
    public static void main(String[] arguments) {
        var context = start(WebApplicationType.SERVLET, arguments[0]);
        System.out.println("port " + ServerPort.of(context));
    }

    @BeforeAll
    static void startServer() {
        server = RedisServer.start();
    }

    @AfterAll
    static void stopServer() {
        server.close();
    }

    private static HttpResponse<String> post(int port, String path, String key, String body)
            throws IOException, InterruptedException {
        return CLIENT.send(
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                        .header("Idempotency-Key", '"' + key + '"')
                        .header("Content-Type", "text/plain")
                        .POST(HttpRequest.BodyPublishers.ofString(body))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
    }

    private static void requireProtection(int port) throws Exception {
        var first = post(port, "/payments", "key-1-of-payments", "one euro");
        var again = post(port, "/payments", "key-1-of-payments", "one euro");

        assertThat(first.statusCode()).isEqualTo(201);
        assertThat(again.body()).isEqualTo(first.body()).isEqualTo("payment 1 of one euro");
        assertThat(again.headers().firstValue("Idempotent-Replayed")).contains("true");
        assertThat(post(port, "/payments", "key-1-of-payments", "two euros").statusCode())
                .isEqualTo(422);
        assertThat(post(port, "/charges/1", "-", "").body()).isEqualTo("charge 1 of 1");
        assertThat(post(port, "/charges/1", "-", "").body()).isEqualTo("charge 1 of 1");
        assertThat(post(port, "/charges/2", "-", "").body()).isEqualTo("charge 2 of 2");
    }

    @ParameterizedTest
    @EnumSource(names = {"SERVLET", "REACTIVE"})
    void handlerAndMethodRunOnceForAKey(WebApplicationType type) throws Exception {
        try (var context = start(type, server.url() + "?key-prefix=" + type)) {
            requireProtection(ServerPort.of(context));
        }
    }

    @Service
    static class Checkout {
        Checkout(FlowRunner<Connection> flows) {
            throw new IllegalStateException("There is none: " + flows);
        }
    }

    @Test
    void flowRunnerThatIsInjectedIsToldWithTheStoreThatLacksTransactions(CapturedOutput output) {
        assertThatThrownBy(() -> start(WebApplicationType.SERVLET, server.url() + "?key-prefix=flows", Checkout.class))
                .isInstanceOf(UnsatisfiedDependencyException.class);

        assertThat(output.getAll())
                .contains(
                        "APPLICATION FAILED TO START",
                        "The FlowRunner that the application asks for: cannot run on the default store",
                        "which has no transactions",
                        "leave refrain.store.url out",
                        "refrain.stores.<name>.url");
    }

    /** Neither does an application without a database have them. */
    @Test
    void handlerAndMethodRunOnceForAKeyWithoutTheClassesOfTransactions() throws Exception {
        try (var process = ApplicationProcess.start(
                RedisApplicationTest.class,
                jar -> !jar.matches(
                        "(spring-(jdbc|tx|orm|data-.*)|spring-boot-(jdbc|jpa|sql|data-.*|transaction|hibernate|flyway|liquibase)|hibernate-core|flyway-.*|liquibase-.*)-[0-9].*"),
                server.url() + "?key-prefix=process")) {
            requireProtection(process.port());
        }
    }
}
