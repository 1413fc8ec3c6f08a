package dev.refrain.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Real PgBouncer in transaction mode in front of a PostgreSQL, on the loopback interface: few server connections, which go to another client with
 * each transaction. It ends when it is closed, and also when this JVM ends in whatever way. Thread-safe.
 */
public final class PgbouncerServer implements AutoCloseable {

    /** System property with the program; without it the PATH and {@code /usr/sbin} are searched. */
    private static final String PROGRAM = "refrain.test.pgbouncer.program";

    private static final Duration START_WITHIN = Duration.ofSeconds(60);

    /** Becomes the pooler and leaves a watcher beside it, which ends the pooler at the end of its input: with this JVM. */
    private static final String WITH_WATCHER = """
            exec 3<&0
            pooler=$$
            ( cat >/dev/null; kill -KILL "$pooler" ) <&3 3<&- >/dev/null 2>&1 &
            exec "$@" </dev/null 3<&-
            """;

    private final ScratchDirectory scratch = ScratchDirectory.create(ScratchDirectory.base());
    private final UnprivilegedCommand unprivileged = UnprivilegedCommand.detect();
    private final String url;
    private @Nullable Process process;

    private PgbouncerServer(String url) {
        this.url = url;
    }

    /** Whether there is a program to start. */
    public static boolean isAvailable() {
        return program().isPresent();
    }

    private static Optional<Path> program() {
        String chosen = System.getProperty(PROGRAM, "");
        var places = chosen.isEmpty()
                ? Stream.concat(
                        Stream.of(System.getenv("PATH").split(":")).map(folder -> Path.of(folder, "pgbouncer")),
                        Stream.of(Path.of("/usr/sbin/pgbouncer")))
                : Stream.of(Path.of(chosen));
        return places.filter(Files::isExecutable).findFirst();
    }

    /**
     * Starts a pooler before a server of ours.
     *
     * @param postgresUrl URL of the database
     * @param connections that it may have to each database
     */
    public static PgbouncerServer before(String postgresUrl, int connections) {
        int port = ManagedMariadb.freePort();
        var server = new PgbouncerServer(postgresUrl.replaceFirst(":\\d+/", ":" + port + "/") + "&prepareThreshold=0");
        try {
            server.write(PostgresUrl.parse(postgresUrl), port, connections);
            server.restart();
            return server;
        } catch (IOException e) {
            server.close();
            throw new UncheckedIOException("Could not configure PgBouncer", e);
        }
    }

    private Path settings() {
        return scratch.path().resolve("pgbouncer.ini");
    }

    private void write(PostgresUrl server, int port, int connections) throws IOException {
        Path folder = scratch.path();
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx------"));
        Path users = Files.writeString(
                folder.resolve("users.txt"),
                "\"" + server.parameter("user") + "\" \"" + server.parameter("password") + "\"\n");
        Files.writeString(settings(), """
                [databases]
                * = host=127.0.0.1 port=%d
                [pgbouncer]
                listen_addr = 127.0.0.1
                listen_port = %d
                unix_socket_dir =
                auth_type = scram-sha-256
                auth_file = %s
                pool_mode = transaction
                default_pool_size = %d
                max_client_conn = 500
                ignore_startup_parameters = extra_float_digits
                """.formatted(LossyProxy.port(server.text()), port, users, connections));
    }

    /** Starts it on the same port; one that runs is killed first. */
    public synchronized void restart() {
        killHard();
        Path log = scratch.path().resolve("pgbouncer.log");
        var command = new ArrayList<>(List.of("sh", "-c", WITH_WATCHER, "sh"));
        command.addAll(unprivileged.command(
                List.of(program().orElseThrow().toString(), settings().toString())));
        try {
            var started = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
                    .start();
            process = started;
            ConditionWait.until(
                    () -> !started.isAlive() || answers(),
                    START_WITHIN,
                    () -> "PgBouncer did not become ready:\n" + PostgresProcess.tailOf(log));
            if (!started.isAlive()) {
                throw new TestServerException("PgBouncer ended at once:\n" + PostgresProcess.tailOf(log));
            }
        } catch (IOException e) {
            throw new UncheckedIOException("Could not start PgBouncer", e);
        }
    }

    /** SIGKILLs it: its clients lose their connections, and so do its sessions in the database. */
    public synchronized void killHard() {
        var running = process;
        if (running != null) {
            process = null;
            var watchers = running.descendants().toList();
            running.destroyForcibly();
            watchers.forEach(ProcessHandle::destroyForcibly);
            ConditionWait.until(
                    () -> !running.isAlive(), START_WITHIN, () -> "PgBouncer is still there after a SIGKILL.");
        }
    }

    private boolean answers() {
        try (var connection = PostgresUrl.parse(url).connect()) {
            return connection.isValid(1);
        } catch (SQLException e) {
            return false;
        }
    }

    /** Returns the URL of the same database through the pooler, without prepared statements, which PgBouncer before 1.21 does not keep apart. */
    public String url() {
        return url;
    }

    @Override
    public void close() {
        killHard();
        scratch.close();
    }
}
