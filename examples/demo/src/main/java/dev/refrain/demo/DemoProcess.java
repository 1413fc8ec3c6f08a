package dev.refrain.demo;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Child JVM that runs a main class of this class path. It prints a line starting with {@link #READY} with the URL it
 * listens on.
 */
final class DemoProcess {

    static final String READY = "ready ";

    private static final int LAST_LINES = 8;
    private static final long STARTUP_SECONDS = 60;

    private final String name;
    private final Process process;
    private final CompletableFuture<URI> ready = new CompletableFuture<>();
    private final Deque<String> last = new ArrayDeque<>();

    private DemoProcess(String name, Process process) {
        this.name = name;
        this.process = process;
        // Not a virtual thread: reading a pipe pins its carrier, and a machine with two cores has only two.
        Thread.ofPlatform().daemon().name(name).start(this::listen);
    }

    /**
     * Starts a process.
     *
     * @param folder the temporary directory of the process, since a SIGKILL leaves it no time to clean up
     */
    static DemoProcess start(Class<?> main, Path folder, String... arguments) throws DemoFailedException {
        var command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Xmx192m",
                "--enable-native-access=ALL-UNNAMED",
                "-Djava.io.tmpdir=" + folder,
                "-cp",
                System.getProperty("java.class.path"),
                main.getName()));
        command.addAll(List.of(arguments));
        String name = "The " + main.getSimpleName().replaceFirst("^Demo", "").toLowerCase(Locale.ROOT);
        try {
            return new DemoProcess(
                    name, new ProcessBuilder(command).redirectErrorStream(true).start());
        } catch (IOException e) {
            throw new DemoFailedException(name + " could not be started: " + e.getMessage(), e);
        }
    }

    private void listen() {
        try (BufferedReader out = process.inputReader()) {
            for (String line = out.readLine(); line != null; line = out.readLine()) {
                if (line.startsWith(READY)) {
                    ready.complete(URI.create(line.substring(READY.length())));
                }
                if (!line.startsWith("\tat ")) {
                    remember(line);
                }
            }
        } catch (IOException | UncheckedIOException closed) {
            remember(closed.toString());
        }
        ready.completeExceptionally(new IOException("exited"));
    }

    private synchronized void remember(String line) {
        last.addLast(line);
        if (last.size() > LAST_LINES) {
            last.removeFirst();
        }
    }

    private synchronized String lastLines() {
        return last.isEmpty() ? "It printed nothing." : "Last output:\n  " + String.join("\n  ", last);
    }

    /** Waits until the process listens and returns its URL. */
    URI address() throws DemoFailedException, InterruptedException {
        try {
            return ready.get(STARTUP_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException ended) {
            throw new DemoFailedException(
                    name + " exited during startup with code " + process.waitFor() + ". " + lastLines(), ended);
        } catch (TimeoutException slow) {
            throw new DemoFailedException(
                    name + " is not ready after " + STARTUP_SECONDS + " seconds. " + lastLines(), slow);
        }
    }

    /** Kills the process with SIGKILL and waits for its end. */
    void kill() {
        process.destroyForcibly();
        process.onExit().join();
    }
}
