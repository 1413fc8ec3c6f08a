package dev.refrain.examples.spring.process;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** Child JVM that runs a main class of this class path and printed the URL it listens on. */
public record ExampleChildProcess(Process process, String address) implements AutoCloseable {

    private static final Pattern ADDRESS = Pattern.compile("http://localhost:\\d+");

    public static ProcessBuilder running(Class<?> main, String... arguments) {
        var command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "--enable-native-access=ALL-UNNAMED",
                "-D" + ExampleParentWatchdog.PROPERTY + "="
                        + ProcessHandle.current().pid(),
                "-cp",
                System.getProperty("java.class.path"),
                main.getName()));
        command.addAll(List.of(arguments));
        return new ProcessBuilder(command);
    }

    /** Starts a process and waits until it listens. */
    public static ExampleChildProcess start(Class<?> main, String... arguments) throws IOException {
        var process = running(main, arguments)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        var out = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        for (String line = out.readLine(); line != null; line = out.readLine()) {
            var address = ADDRESS.matcher(line);
            if (address.find()) {
                return new ExampleChildProcess(process, address.group());
            }
        }
        throw new IOException(main.getSimpleName() + " did not start.");
    }

    /** Kills the process and waits for its end. */
    @Override
    public void close() {
        process.destroyForcibly();
        process.onExit().join();
    }
}
