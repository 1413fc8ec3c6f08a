package dev.refrain.spring.webflux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.refrain.Refrain;
import dev.refrain.api.ScopedKey;
import dev.refrain.http.cases.RawHttpConnection;
import dev.refrain.http.cases.RawHttpRequest;
import dev.refrain.http.cases.RawHttpResponse;
import dev.refrain.http.edge.BufferBudget;
import dev.refrain.http.edge.RouteProtection;
import dev.refrain.spring.BootParts;
import dev.refrain.spring.ServerPort;
import dev.refrain.spring.internal.boot.BootNames;
import dev.refrain.store.RecordState;
import dev.refrain.store.memory.MemoryStore;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Consumer;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.support.GenericApplicationContext;

/** A WebFlux application on Reactor Netty, on a port of the loopback interface. Registered with a test class it is closed after it. */
record ReactiveTestServer(ConfigurableApplicationContext context) implements AutoCloseable, AfterAllCallback {

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {

        /** Tomcat is on the class path of these tests too. */
        @Bean
        BootParts.Netty netty() {
            return new BootParts.Netty();
        }
    }

    static ReactiveTestServer start(Consumer<GenericApplicationContext> beans, Class<?> more, String... settings) {
        var application = new SpringApplication(Application.class, more);
        application.setWebApplicationType(WebApplicationType.REACTIVE);
        application.addInitializers(context -> beans.accept((GenericApplicationContext) context));
        var all = new ArrayList<>(List.of(
                "--server.port=0",
                "--server.address=127.0.0.1",
                "--spring.main.banner-mode=off",
                "--spring.autoconfigure.exclude=" + BootNames.DATA_SOURCE,
                "--logging.level.root=error"));
        all.addAll(List.of(settings));
        return new ReactiveTestServer(application.run(all.toArray(String[]::new)));
    }

    /** For one tenant, with its keys in memory. */
    static ReactiveTestServer inMemory(Class<?> more, String... settings) {
        var all = new ArrayList<>(List.of(settings));
        all.add("--refrain.scope=shared");
        return withStore(more, all.toArray(String[]::new));
    }

    /** With its keys in memory, and whose they are as the settings say. */
    static ReactiveTestServer withStore(Class<?> more, String... settings) {
        return start(beans -> beans.registerBean(MemoryStore.class, () -> new MemoryStore()), more, settings);
    }

    int port() {
        return ServerPort.of(context);
    }

    /** How the record of the one caller's key stands. */
    RecordState stateOf(String key) {
        return context.getBean(Refrain.class)
                .admin()
                .find(new ScopedKey("", RouteProtection.NAMESPACE, key))
                .orElseThrow()
                .state();
    }

    static String newKey() {
        return UUID.randomUUID().toString();
    }

    RawHttpResponse send(RawHttpRequest request) throws IOException {
        try (var wire = new RawHttpConnection(port())) {
            wire.send(request);
            return wire.receive();
        }
    }

    @Override
    public void afterAll(ExtensionContext tests) {
        close();
    }

    /** However its requests ended, nothing of them is still buffered. */
    @Override
    public void close() {
        context.getBeanProvider(BufferBudget.class)
                .ifAvailable(budget -> await().untilAsserted(
                                () -> assertThat(budget.heldBytes()).isZero()));
        context.close();
    }
}
