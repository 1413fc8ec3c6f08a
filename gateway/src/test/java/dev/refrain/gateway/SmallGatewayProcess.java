package dev.refrain.gateway;

import dev.refrain.gateway.internal.config.CommandLineOverrides;
import dev.refrain.gateway.internal.config.GatewayConfigReader;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** A gateway in a process with a small heap, which ends at an out-of-memory error, and at SIGTERM as the command does. */
final class SmallGatewayProcess implements AutoCloseable {

    private final Process process;
    private final BufferedReader said;
    private final BufferedWriter asked;
    private final int port;

    private SmallGatewayProcess(Process process) throws IOException {
        this.process = process;
        said = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        asked = process.outputWriter(StandardCharsets.UTF_8);
        port = Integer.parseInt(line("port "));
    }

    static SmallGatewayProcess start(String memory, Path config, String upstream, String store) throws IOException {
        var process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "--enable-native-access=ALL-UNNAMED",
                        memory,
                        "-XX:+ExitOnOutOfMemoryError",
                        "-cp",
                        System.getProperty("java.class.path"),
                        SmallGatewayProcess.class.getName(),
                        config.toString(),
                        upstream,
                        store)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        return new SmallGatewayProcess(process);
    }

    public static void main(String[] arguments) throws Exception {
        var config = new GatewayConfigReader(
                        new CommandLineOverrides(
                                Optional.of(arguments[1]),
                                Optional.of("127.0.0.1:0"),
                                Optional.of("off"),
                                Optional.of(arguments[2])),
                        Map.of())
                .read(Path.of(arguments[0]));
        var gateway = Gateway.start(config, Map.of(), line -> {});
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            try {
                gateway.close();
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        }));
        System.out.println("port " + gateway.port());
        var in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        while (in.readLine() != null) {
            System.gc();
            var memory = Runtime.getRuntime();
            System.out.println("heap " + (memory.totalMemory() - memory.freeMemory()));
        }
    }

    private String line(String start) throws IOException {
        for (String line = said.readLine(); line != null; line = said.readLine()) {
            if (line.startsWith(start)) {
                return line.substring(start.length());
            }
        }
        throw new IOException("The gateway ended" + (process.isAlive() ? "" : " with " + process.exitValue()) + ".");
    }

    int port() {
        return port;
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /** Collects its garbage, and returns what is used of its heap. */
    long usedHeap() throws IOException {
        asked.write("heap\n");
        asked.flush();
        return Long.parseLong(line("heap "));
    }

    /** Ends it by SIGTERM, and returns its exit code; empty if it does not end. */
    Optional<Integer> terminate() throws InterruptedException {
        process.destroy();
        return awaitExit();
    }

    /** Waits until it ends by itself, and returns its exit code; empty if it does not end. */
    Optional<Integer> awaitExit() throws InterruptedException {
        return process.waitFor(30, TimeUnit.SECONDS) ? Optional.of(process.exitValue()) : Optional.empty();
    }

    @Override
    public void close() throws InterruptedException {
        process.destroyForcibly().waitFor(20, TimeUnit.SECONDS);
    }
}
