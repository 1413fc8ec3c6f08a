package dev.refrain.spring.webflux;

import dev.refrain.Refrain;
import dev.refrain.api.ScopedKey;
import dev.refrain.http.cases.RawHttpConnection;
import dev.refrain.http.cases.RawHttpRequest;
import dev.refrain.http.cases.RawHttpResponse;
import dev.refrain.http.edge.RouteProtection;
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
import org.springframework.boot.reactor.netty.NettyReactiveWebServerFactory;
import org.springframework.boot.web.server.reactive.context.ReactiveWebServerApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.support.GenericApplicationContext;

/** A WebFlux application on Reactor Netty, on a port of the loopback interface. Registered with a test class it is closed after it. */
record ReactiveTestServer(ReactiveWebServerApplicationContext context) implements AutoCloseable, AfterAllCallback {

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {

        /** Tomcat is on the class path of these tests too. */
        @Bean
        NettyReactiveWebServerFactory netty() {
            return new NettyReactiveWebServerFactory();
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
                "--spring.autoconfigure.exclude=org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration",
                "--logging.level.root=error"));
        all.addAll(List.of(settings));
        return new ReactiveTestServer(
                (ReactiveWebServerApplicationContext) application.run(all.toArray(String[]::new)));
    }

    /** For one tenant, with its keys in memory. */
    static ReactiveTestServer inMemory(Class<?> more, String... settings) {
        var all = new ArrayList<>(List.of(settings));
        all.add("--refrain.scope=one-tenant");
        return withStore(more, all.toArray(String[]::new));
    }

    /** With its keys in memory, and whose they are as the settings say. */
    static ReactiveTestServer withStore(Class<?> more, String... settings) {
        return start(beans -> beans.registerBean(MemoryStore.class, () -> new MemoryStore()), more, settings);
    }

    int port() {
        return context.getWebServer().getPort();
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

    @Override
    public void close() {
        context.close();
    }
}
