package dev.refrain.http.cases;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Server in a process with a small heap, which ends at an out-of-memory error. Its main class prints "port" and the number. */
public final class SmallHeapProcess implements AutoCloseable {

    private final Process process;
    private final int port;

    private SmallHeapProcess(Process process, int port) {
        this.process = process;
        this.port = port;
    }

    /** Starts the main class with this class path and heap, such as {@code 96m}. */
    public static SmallHeapProcess start(Class<?> main, String heap, String... arguments) throws IOException {
        var command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-Xmx" + heap,
                "-XX:+ExitOnOutOfMemoryError",
                "-cp",
                System.getProperty("java.class.path"),
                main.getName()));
        command.addAll(List.of(arguments));
        var process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        var said = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        for (String line = said.readLine(); line != null; line = said.readLine()) {
            if (line.startsWith("port ")) {
                // A server that logs much would wait for a reader.
                Thread.ofVirtual().name("test-server-output").start(() -> discard(said));
                return new SmallHeapProcess(process, Integer.parseInt(line.substring("port ".length())));
            }
        }
        process.destroyForcibly();
        throw new IOException("The server ended before it was ready.");
    }

    private static void discard(BufferedReader output) {
        try (output) {
            output.transferTo(Writer.nullWriter());
        } catch (IOException ended) {
            // With its process.
        }
    }

    public int port() {
        return port;
    }

    public boolean isAlive() {
        return process.isAlive();
    }

    /** Kills it. */
    @Override
    public void close() throws IOException {
        try {
            process.destroyForcibly().waitFor();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("Interrupted while the server was killed.", e);
        }
    }
}
