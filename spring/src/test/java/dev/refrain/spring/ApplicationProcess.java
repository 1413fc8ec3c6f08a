package dev.refrain.spring;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** An application as a process of its own, which prints its port. */
record ApplicationProcess(Process process, int port) implements AutoCloseable {

    /** Starts the payments application on a database. */
    static ApplicationProcess start(String url) throws IOException {
        return start(PaymentsTestApplication.class, jar -> true, url);
    }

    /** @param jars which files of the class path it has, by their names */
    static ApplicationProcess start(Class<?> main, Predicate<String> jars, String argument) throws IOException {
        var process = launch(main, jars, argument);
        var out = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        var said = new StringBuilder();
        for (String line = out.readLine(); line != null; line = out.readLine()) {
            if (line.startsWith("port ")) {
                return new ApplicationProcess(process, Integer.parseInt(line.substring(5)));
            }
            said.append(line).append('\n');
        }
        throw new IOException("The application did not start:\n" + said);
    }

    /** Runs a main method to its end and returns what it printed. */
    static String output(Class<?> main, Predicate<String> jars) throws IOException, InterruptedException {
        var process = launch(main, jars);
        try (var out = process.getInputStream()) {
            String said = new String(out.readAllBytes(), StandardCharsets.UTF_8);
            process.waitFor();
            return said;
        }
    }

    private static Process launch(Class<?> main, Predicate<String> jars, String... arguments) throws IOException {
        var command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                        .filter(path -> jars.test(new File(path).getName()))
                        .collect(Collectors.joining(File.pathSeparator)),
                main.getName()));
        command.addAll(List.of(arguments));
        return new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
    }

    /** SIGKILL. */
    void kill() throws InterruptedException {
        process.destroyForcibly();
        if (!process.waitFor(10, TimeUnit.SECONDS)) {
            throw new IllegalStateException("It does not die.");
        }
    }

    @Override
    public void close() throws InterruptedException {
        kill();
    }
}
