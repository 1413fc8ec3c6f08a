package dev.refrain.gateway;

import dev.refrain.gateway.config.ConfigReader;
import dev.refrain.gateway.config.Overrides;
import dev.refrain.http.cases.RawAnswer;
import dev.refrain.http.cases.RawRequest;
import dev.refrain.http.cases.Wire;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** A gateway in a process of its own, so that it can be killed. */
final class GatewayProcess implements AutoCloseable {

    private final Process process;
    private final int port;

    private GatewayProcess(Process process, int port) {
        this.process = process;
        this.port = port;
    }

    static GatewayProcess start(Path config, String upstream, String store, Map<String, String> environment)
            throws IOException {
        var command = new ArrayList<String>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-Xmx256m",
                "-cp",
                System.getProperty("java.class.path"),
                GatewayProcess.class.getName(),
                config.toString(),
                upstream,
                store));
        var builder = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT);
        builder.environment().putAll(environment);
        var process = builder.start();
        var out = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        for (String line = out.readLine(); line != null; line = out.readLine()) {
            if (line.startsWith("port ")) {
                return new GatewayProcess(process, Integer.parseInt(line.substring(5)));
            }
        }
        throw new IOException("The gateway did not start.");
    }

    public static void main(String[] arguments) throws Exception {
        var config = new ConfigReader(
                        new Overrides(
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

    RawAnswer send(RawRequest request) throws IOException {
        try (var wire = new Wire(port)) {
            wire.send(request);
            return wire.receive();
        }
    }

    /** SIGKILL: nothing is finished, nothing is said. */
    void kill() throws InterruptedException {
        process.destroyForcibly();
        if (!process.waitFor(20, TimeUnit.SECONDS)) {
            throw new AssertionError("It does not die.");
        }
    }

    @Override
    public void close() throws InterruptedException {
        kill();
    }
}
