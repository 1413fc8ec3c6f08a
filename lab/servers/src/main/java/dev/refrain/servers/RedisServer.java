package dev.refrain.servers;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Real Redis on the loopback interface, with a password, that syncs its append-only file after every write.
 *
 * <pre>{@code
 * try (var server = RedisServer.start()) {
 *     String url = server.url();
 *     ...
 *     server.killHard();   // SIGKILL: what was acknowledged is there after the restart
 *     server.restart();    // the same directory, the same port
 * }
 * }</pre>
 *
 * <p>Thread-safe. The server ends when it is closed, and also when this JVM ends in whatever way, SIGKILL included.
 */
public final class RedisServer implements AutoCloseable {

    /** System property with the program of another Redis or Valkey than the one that the build brings along. */
    private static final String PROGRAM = "refrain.test.redis.program";

    /** Becomes the server and leaves a watcher beside it, which ends the server at the end of its input: with this JVM. */
    private static final String WITH_WATCHER = """
            exec 3<&0
            server=$$
            ( cat >/dev/null; kill -KILL "$server" ) <&3 3<&- >/dev/null 2>&1 &
            exec "$@" </dev/null 3<&-
            """;

    private static final Duration START_WITHIN = Duration.ofSeconds(60);
    private static final int PORT_ATTEMPTS = 5;

    private final ScratchDirectory scratch = ScratchDirectory.create(ScratchDirectory.base());
    private final String password;
    private final Map<String, String> settings = new LinkedHashMap<>();
    private int port;
    private @Nullable Process process;
    private boolean closed;

    private final List<String> sentinelLines;

    private RedisServer(Map<String, String> chosen) {
        password = chosen.getOrDefault("requirepass", UUID.randomUUID().toString());
        sentinelLines = List.of();
        settings.put("bind", "127.0.0.1");
        settings.put("requirepass", password);
        settings.put("masterauth", password);
        settings.put("appendonly", "yes");
        settings.put("appendfsync", "always");
        settings.put("save", "");
        settings.put("repl-diskless-sync-delay", "0");
        settings.putAll(chosen);
    }

    private RedisServer(List<String> sentinelLines) {
        password = "";
        this.sentinelLines = sentinelLines;
        settings.put("bind", "127.0.0.1");
    }

    /** Starts a Sentinel without a password, which looks after a master and promotes a replica a second after that is gone. */
    static RedisServer sentinel(String name, RedisServer master, int quorum) {
        return startOnFreePort(new RedisServer(List.of(
                "sentinel monitor " + name + " 127.0.0.1 " + master.port() + " " + quorum,
                "sentinel auth-pass " + name + " " + master.password(),
                "sentinel down-after-milliseconds " + name + " 1000",
                "sentinel failover-timeout " + name + " 5000")));
    }

    /** Starts a server on a free port. */
    public static RedisServer start() {
        return start(Map.of());
    }

    /**
     * Starts a server on a free port.
     *
     * @param settings parameters of redis.conf, such as {@code appendonly}
     */
    public static RedisServer start(Map<String, String> settings) {
        return startOnFreePort(new RedisServer(settings));
    }

    private static RedisServer startOnFreePort(RedisServer server) {
        for (int attempt = 1; ; attempt++) {
            try {
                server.port = freePort();
                server.launch();
                return server;
            } catch (TestServerException e) {
                if (attempt == PORT_ATTEMPTS) {
                    server.scratch.close();
                    throw e;
                }
            }
        }
    }

    /** Returns the URL of this server, password included. */
    public String url() {
        return url(port);
    }

    /** Returns the URL of this server as seen through another port, such as that of a proxy. */
    public String url(int otherPort) {
        return "redis://:" + password + "@127.0.0.1:" + otherPort;
    }

    public int port() {
        return port;
    }

    public String password() {
        return password;
    }

    long pid() {
        return process == null ? -1 : process.pid();
    }

    /** Sends one command by a connection of its own and returns the first line of the reply. */
    public String command(String... words) {
        return RedisCommandLine.send(port, password, words);
    }

    /** SIGKILLs the server and returns when it is gone. */
    public synchronized void killHard() {
        var running = process;
        if (running != null) {
            var watchers = running.descendants().toList();
            running.destroyForcibly();
            watchers.forEach(ProcessHandle::destroyForcibly);
            ConditionWait.until(() -> !running.isAlive(), START_WITHIN, () -> "Redis is still there after a SIGKILL.");
            process = null;
        }
    }

    /** Starts the server again on the same directory and the same port; one that runs is killed first. */
    public synchronized void restart() {
        if (closed) {
            throw new TestServerException("A server that was closed can't be restarted: its directory is gone.");
        }
        killHard();
        launch();
    }

    private void launch() {
        var command = new ArrayList<>(
                List.of("sh", "-c", WITH_WATCHER, "sh", program().toString()));
        if (!sentinelLines.isEmpty()) {
            command.addAll(List.of(sentinelFile().toString(), "--sentinel"));
        }
        command.addAll(List.of(
                "--port", Integer.toString(port), "--dir", scratch.path().toString()));
        settings.forEach((name, value) -> command.addAll(List.of("--" + name, value)));
        Path log = scratch.path().resolve("redis.log");
        try {
            var started = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
                    .start();
            process = started;
            ConditionWait.until(
                    () -> !started.isAlive() || RedisCommandLine.isReady(port, password),
                    START_WITHIN,
                    () -> "Redis did not become ready; its log is " + log);
            if (!started.isAlive()) {
                throw new TestServerException("Redis ended at once:\n" + Files.readString(log));
            }
        } catch (IOException e) {
            throw new UncheckedIOException("Could not start Redis", e);
        }
    }

    /** A Sentinel keeps what it learns in its file. */
    private Path sentinelFile() {
        try {
            return Files.write(scratch.path().resolve("sentinel.conf"), sentinelLines);
        } catch (IOException e) {
            throw new UncheckedIOException("Could not configure a Sentinel", e);
        }
    }

    private static Path program() {
        String chosen = System.getProperty(PROGRAM, "");
        if (!chosen.isEmpty()) {
            return Path.of(chosen);
        }
        String os = System.getProperty("os.name").toLowerCase(Locale.ROOT).contains("mac") ? "darwin" : "linux";
        String arch = switch (System.getProperty("os.arch")) {
            case "amd64", "x86_64" -> "amd64";
            case "aarch64", "arm64" -> "arm64";
            default -> System.getProperty("os.arch");
        };
        String name = "redis-server-7.0.15-" + os + "-" + arch;
        Path program = ScratchDirectory.base().resolve(name);
        if (Files.isExecutable(program)) {
            return program;
        }
        try (InputStream packed = RedisServer.class.getResourceAsStream("/" + name)) {
            if (packed == null) {
                throw new TestServerException("There is no " + name + " on the class path.");
            }
            Path fresh = Files.createTempFile(ScratchDirectory.base(), "unpacking-", "");
            Files.copy(packed, fresh, StandardCopyOption.REPLACE_EXISTING);
            Files.setPosixFilePermissions(fresh, PosixFilePermissions.fromString("rwxr-xr-x"));
            Files.move(fresh, program, StandardCopyOption.ATOMIC_MOVE);
            return program;
        } catch (IOException e) {
            throw new UncheckedIOException("Could not unpack Redis into " + ScratchDirectory.base(), e);
        }
    }

    private static int freePort() {
        // A node of a cluster needs the port that lies 10000 above, too.
        for (int attempt = 0; attempt < 100; attempt++) {
            try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
                if (socket.getLocalPort() < 55_000) {
                    return socket.getLocalPort();
                }
            } catch (IOException e) {
                throw new UncheckedIOException("No port is free", e);
            }
        }
        throw new TestServerException("No port below 55000 is free.");
    }

    /** Ends the server and removes its directory. Closing twice does no harm. */
    @Override
    public synchronized void close() {
        if (!closed) {
            closed = true;
            killHard();
            scratch.close();
        }
    }
}
