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

/** A main class of this class path in a JVM of its own, which says where it listens in a line that begins with {@link #READY}. */
final class DemoProcess {

    static final String READY = "ready ";

    private static final int LAST_LINES = 8;
    private static final long SECONDS_TO_START = 60;

    private final String name;
    private final Process process;
    private final CompletableFuture<URI> ready = new CompletableFuture<>();
    private final Deque<String> last = new ArrayDeque<>();

    private DemoProcess(String name, Process process) {
        this.name = name;
        this.process = process;
        // Not a virtual thread: reading a pipe keeps its carrier, and two of those are all that a machine with two
        // cores has.
        Thread.ofPlatform().daemon().name(name).start(this::listen);
    }

    /** @param folder where it leaves what it needs; a SIGKILL leaves it no time to tidy up */
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
        String name = "The " + main.getSimpleName().toLowerCase(Locale.ROOT);
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
        ready.completeExceptionally(new IOException("ended"));
    }

    private synchronized void remember(String line) {
        last.addLast(line);
        if (last.size() > LAST_LINES) {
            last.removeFirst();
        }
    }

    private synchronized String lastLines() {
        return last.isEmpty() ? "It said nothing." : "The last that it said:\n  " + String.join("\n  ", last);
    }

    /** Returns when it listens. */
    URI address() throws DemoFailedException, InterruptedException {
        try {
            return ready.get(SECONDS_TO_START, TimeUnit.SECONDS);
        } catch (ExecutionException ended) {
            throw new DemoFailedException(
                    name + " ended when it was started, with code " + process.waitFor() + ". " + lastLines(), ended);
        } catch (TimeoutException slow) {
            throw new DemoFailedException(
                    name + " is not ready after " + SECONDS_TO_START + " seconds. " + lastLines(), slow);
        }
    }

    /** By SIGKILL. Returns when it is gone. */
    void kill() {
        process.destroyForcibly();
        process.onExit().join();
    }
}
