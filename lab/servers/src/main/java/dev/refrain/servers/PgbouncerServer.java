package dev.refrain.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

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

    private final ScratchDirectory scratch;
    private final Process process;
    private final String url;

    private PgbouncerServer(ScratchDirectory scratch, Process process, String url) {
        this.scratch = scratch;
        this.process = process;
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
        var unprivileged = UnprivilegedCommand.detect();
        var scratch = ScratchDirectory.create(ScratchDirectory.base());
        int port = ManagedMariadb.freePort();
        try {
            Path log = scratch.path().resolve("pgbouncer.log");
            Path settings = write(scratch.path(), PostgresUrl.parse(postgresUrl), port, connections);
            if (unprivileged.owner().isPresent()) {
                DirectoryTrees.giveTo(scratch.path(), unprivileged.owner().get());
            }
            var command = Stream.of(
                            List.of("sh", "-c", WITH_WATCHER, "sh"),
                            unprivileged.command(List.of(program().orElseThrow().toString(), settings.toString())))
                    .flatMap(List::stream)
                    .toList();
            var process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
                    .start();
            var server = new PgbouncerServer(scratch, process, postgresUrl.replaceFirst(":\\d+/", ":" + port + "/"));
            server.awaitReady(log);
            return server;
        } catch (IOException e) {
            scratch.close();
            throw new UncheckedIOException("Could not start PgBouncer", e);
        }
    }

    private static Path write(Path folder, PostgresUrl server, int port, int connections) throws IOException {
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx------"));
        Path users = Files.writeString(
                folder.resolve("users.txt"),
                "\"" + server.parameter("user") + "\" \"" + server.parameter("password") + "\"\n");
        return Files.writeString(folder.resolve("pgbouncer.ini"), """
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
                """.formatted(
                        LossyProxy.port(server.text()), port, users, connections));
    }

    private void awaitReady(Path log) {
        ConditionWait.until(
                () -> !process.isAlive() || answers(),
                START_WITHIN,
                () -> "PgBouncer did not become ready:\n" + PostgresProcess.tailOf(log));
        if (!process.isAlive()) {
            throw new TestServerException("PgBouncer ended at once:\n" + PostgresProcess.tailOf(log));
        }
    }

    private boolean answers() {
        try (var connection = PostgresUrl.parse(url).connect()) {
            return connection.isValid(1);
        } catch (SQLException e) {
            return false;
        }
    }

    /** Returns the URL of the same database through the pooler. */
    public String url() {
        return url;
    }

    @Override
    public void close() {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
        ConditionWait.until(() -> !process.isAlive(), START_WITHIN, () -> "PgBouncer is still there after a SIGKILL.");
        scratch.close();
    }
}
