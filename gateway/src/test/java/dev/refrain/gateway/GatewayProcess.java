package dev.refrain.gateway;

import dev.refrain.gateway.internal.config.CommandLineOverrides;
import dev.refrain.gateway.internal.config.GatewayConfigReader;
import dev.refrain.http.cases.RawHttpConnection;
import dev.refrain.http.cases.RawHttpRequest;
import dev.refrain.http.cases.RawHttpResponse;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;

/** A gateway in a process of its own, so that it can be killed. */
record GatewayProcess(ServiceProcess process) implements AutoCloseable {

    static GatewayProcess start(Path config, String upstream, String store, Map<String, String> environment)
            throws IOException {
        return new GatewayProcess(
                ServiceProcess.java(GatewayProcess.class, environment, config.toString(), upstream, store));
    }

    public static void main(String[] arguments) throws Exception {
        var config = new GatewayConfigReader(
                        new CommandLineOverrides(
                                Optional.of(arguments[1]),
                                Optional.of("127.0.0.1:0"),
                                Optional.of("off"),
                                Optional.of(arguments[2])),
                        System.getenv())
                .read(Path.of(arguments[0]));
        try (var gateway = Gateway.start(config, System.getenv(), line -> {})) {
            System.out.println("port " + gateway.port());
            new CountDownLatch(1).await();
        }
    }

    int port() {
        return process.port();
    }

    RawHttpResponse send(RawHttpRequest request) throws IOException {
        try (var wire = new RawHttpConnection(port())) {
            wire.send(request);
            return wire.receive();
        }
    }

    /** SIGKILL: nothing is finished, nothing is said. */
    void kill() throws InterruptedException {
        process.kill();
    }

    @Override
    public void close() throws InterruptedException {
        process.close();
    }
}
