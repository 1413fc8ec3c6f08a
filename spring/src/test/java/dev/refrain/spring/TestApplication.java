package dev.refrain.spring;

import dev.refrain.http.cases.RawHttpConnection;
import dev.refrain.http.cases.RawHttpRequest;
import dev.refrain.http.cases.RawHttpResponse;
import dev.refrain.spring.internal.boot.BootNames;
import dev.refrain.store.memory.MemoryStore;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.support.GenericApplicationContext;

/** An application of either web framework with one tenant and its keys in memory, on a port of the loopback interface. */
record TestApplication(ConfigurableApplicationContext context) implements AutoCloseable {

    @EnableAutoConfiguration
    static class Application {}

    static TestApplication start(
            WebApplicationType type, Consumer<GenericApplicationContext> beans, Class<?>... parts) {
        return startWithout(BootNames.DATA_SOURCE, type, beans, parts);
    }

    /** @param excluded automatic configurations to leave out, beside that of the DataSource, separated by commas */
    static TestApplication startWithout(
            String excluded, WebApplicationType type, Consumer<GenericApplicationContext> beans, Class<?>... parts) {
        var application = new SpringApplication(Application.class);
        application.addPrimarySources(List.copyOf(Arrays.asList(parts)));
        application.setWebApplicationType(type);
        application.addInitializers(context -> {
            var made = (GenericApplicationContext) context;
            made.registerBean(MemoryStore.class, () -> new MemoryStore());
            beans.accept(made);
        });
        return new TestApplication(application.run(
                "--server.port=0",
                "--server.address=127.0.0.1",
                "--refrain.scope=shared",
                "--spring.main.banner-mode=off",
                "--spring.autoconfigure.exclude=" + BootNames.DATA_SOURCE + "," + excluded,
                "--logging.level.root=error"));
    }

    RawHttpResponse send(RawHttpRequest request) throws IOException {
        try (var wire = new RawHttpConnection(ServerPort.of(context))) {
            wire.send(request);
            return wire.receive();
        }
    }

    @Override
    public void close() {
        context.close();
    }
}
