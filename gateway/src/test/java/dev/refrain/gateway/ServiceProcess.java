package dev.refrain.gateway;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** A class with a {@code main} in a process of its own, which says its port and can be killed. */
final class ServiceProcess implements AutoCloseable {

    private final Process process;
    private final int port;

    private ServiceProcess(Process process, int port) {
        this.process = process;
        this.port = port;
    }

    static ServiceProcess java(Class<?> main, Map<String, String> environment, String... arguments) throws IOException {
        var command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-XX:TieredStopAtLevel=1",
                "-Xmx256m",
                "-cp",
                System.getProperty("java.class.path"),
                main.getName()));
        command.addAll(List.of(arguments));
        return start(command, environment);
    }

    /** @param command something that writes {@code port} and its port as a line, when it is ready */
    static ServiceProcess start(List<String> command, Map<String, String> environment) throws IOException {
        var builder = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT);
        builder.environment().putAll(environment);
        var process = builder.start();
        var out = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        for (String line = out.readLine(); line != null; line = out.readLine()) {
            if (line.startsWith("port ")) {
                return new ServiceProcess(process, Integer.parseInt(line.substring(5)));
            }
        }
        throw new IOException("It did not start: " + command);
    }

    int port() {
        return port;
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
