package dev.refrain.servers;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * DynamoDB Local on the loopback interface, as a process with its own class path and its data on disk. Any credentials will do. Needs {@code
 * -Pstores}. Thread-safe. The server ends when it is closed, and also when this JVM ends in whatever way, SIGKILL included.
 */
public final class DynamoDbLocal implements AutoCloseable {

    private static final String CLASS_PATH = "/dynamodb-local.classpath";
    private static final String MAIN = "software.amazon.dynamodb.services.local.main.ServerRunner";
    private static final Duration START_WITHIN = Duration.ofSeconds(60);

    /** Becomes the server and leaves a watcher beside it, which ends the server at the end of its input: with this JVM. */
    private static final String WITH_WATCHER = """
            exec 3<&0
            server=$$
            ( cat >/dev/null; kill -KILL "$server" ) <&3 3<&- >/dev/null 2>&1 &
            exec "$@" </dev/null 3<&-
            """;

    private final ScratchDirectory scratch = ScratchDirectory.create(ScratchDirectory.base());
    private final int port = freePort();
    private @Nullable Process process;
    private boolean closed;

    private DynamoDbLocal() {}

    /** Starts a server on a free port. */
    public static DynamoDbLocal start() {
        var server = new DynamoDbLocal();
        server.launch();
        return server;
    }

    public int port() {
        return port;
    }

    /** Returns the address of the server. */
    public String endpoint() {
        return "http://127.0.0.1:" + port;
    }

    /** SIGKILLs the server and returns when it is gone. */
    public synchronized void killHard() {
        var running = process;
        if (running != null) {
            var watchers = running.descendants().toList();
            running.destroyForcibly();
            watchers.forEach(ProcessHandle::destroyForcibly);
            ConditionWait.until(
                    () -> !running.isAlive(), START_WITHIN, () -> "DynamoDB Local is still there after a SIGKILL.");
            process = null;
        }
    }

    /** Starts the server again on the same data and the same port; one that runs is killed first. */
    public synchronized void restart() {
        killHard();
        launch();
    }

    private synchronized void launch() {
        Path log = scratch.path().resolve("dynamodb.log");
        // Its working directory gets a file with metadata.
        var builder = new ProcessBuilder(
                        "sh",
                        "-c",
                        WITH_WATCHER,
                        "sh",
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx512m",
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "--enable-native-access=ALL-UNNAMED",
                        "-cp",
                        classPath(),
                        MAIN,
                        "-disableTelemetry",
                        "-dbPath",
                        ".",
                        "-port",
                        Integer.toString(port))
                .directory(scratch.path().toFile())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
        try {
            var started = builder.start();
            process = started;
            ConditionWait.until(
                    () -> !started.isAlive() || isListening(),
                    START_WITHIN,
                    () -> "DynamoDB Local did not become ready; its log is " + log);
            if (!started.isAlive()) {
                throw new TestServerException("DynamoDB Local ended at once:\n" + String.join("\n", readLines(log)));
            }
        } catch (IOException e) {
            throw new UncheckedIOException("Could not start DynamoDB Local", e);
        }
    }

    private static List<String> readLines(Path log) throws IOException {
        return Files.readAllLines(log, StandardCharsets.UTF_8);
    }

    private boolean isListening() {
        try (var socket = new Socket()) {
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 1_000);
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    private static String classPath() {
        try (InputStream in = DynamoDbLocal.class.getResourceAsStream(CLASS_PATH)) {
            if (in == null) {
                throw new TestServerException("There is no " + CLASS_PATH + " on the class path. Run with -Pstores.");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8).strip();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static int freePort() {
        try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new UncheckedIOException("No port is free", e);
        }
    }

    /** Ends the server and removes its data. Closing twice does no harm. */
    @Override
    public synchronized void close() {
        if (!closed) {
            closed = true;
            killHard();
            scratch.close();
        }
    }
}
