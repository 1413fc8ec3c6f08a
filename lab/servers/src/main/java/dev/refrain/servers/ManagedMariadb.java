package dev.refrain.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** MariaDB or MySQL of our own: binaries, a data directory, a port, a process. */
final class ManagedMariadb implements MariadbServer {

    private static final String USER = "refrain";
    private static final String INIT = "init.sql";
    private static final int PORT_ATTEMPTS = 5;
    private static final Duration START_WITHIN = Duration.ofSeconds(60);
    private static final Duration GONE_WITHIN = Duration.ofSeconds(30);

    /** Shell script that becomes the server and leaves a watcher beside it, which kills the server at the end of its input: with us. */
    private static final String WITH_WATCHER = """
            exec 3<&0
            (
              while read -r ignored; do :; done
              grep -q -e mariadbd -e mysqld /proc/$$/comm && kill -KILL $$
              exit 0
            ) <&3 3<&- >/dev/null 2>&1 &
            exec "$@" </dev/null 3<&-
            """;

    private final ScratchDirectory scratch;
    private final MariadbBinaries binaries;
    private final List<String> options;
    private final int port;
    private final String login;
    private final MariadbDatabases databases;
    private @Nullable Process process;
    private boolean closed;

    private ManagedMariadb(
            ScratchDirectory scratch, MariadbBinaries binaries, List<String> options, int port, String login) {
        this.scratch = scratch;
        this.options = options;
        this.binaries = binaries;
        this.port = port;
        this.login = login;
        this.databases = new MariadbDatabases("jdbc:mariadb://127.0.0.1:" + port + "/", login);
    }

    static ManagedMariadb launched(Function<Path, MariadbBinaries> unpacked, List<String> options) {
        Path base = ScratchDirectory.base();
        MariadbBinaries binaries = unpacked.apply(base);
        ScratchDirectory scratch = ScratchDirectory.create(base);
        try {
            // Other users of this machine can reach the port: without a password they would be its administrators.
            String password = UUID.randomUUID().toString();
            initialise(MariadbDataTemplate.in(base, binaries), scratch.path(), password);
            for (int attempt = 1; ; attempt++) {
                var server = new ManagedMariadb(
                        scratch, binaries, options, freePort(), "user=" + USER + "&password=" + password);
                try {
                    server.launch();
                    return server;
                } catch (TestServerException e) {
                    // One that is slow still has the data directory.
                    server.killHard();
                    if (attempt == PORT_ATTEMPTS) {
                        throw e;
                    }
                }
            }
        } catch (RuntimeException e) {
            scratch.close();
            throw e;
        }
    }

    /** Prepares a server with a copy of the data, and the users, of one that was stopped; {@link #restart} starts it. */
    static ManagedMariadb copyOf(ManagedMariadb stopped, List<String> options) {
        ScratchDirectory scratch = ScratchDirectory.create(ScratchDirectory.base());
        try {
            Path data = Path.of(ManagedPostgres.DATA);
            DirectoryTrees.copy(stopped.folder().resolve(data), scratch.path().resolve(data), file -> true);
            return new ManagedMariadb(scratch, stopped.binaries, options, freePort(), stopped.login);
        } catch (IOException e) {
            scratch.close();
            throw new UncheckedIOException("Could not copy the data of a server", e);
        }
    }

    /** Returns the folder of its data, in which programs that it runs are found too. */
    Path folder() {
        return scratch.path();
    }

    private static void initialise(MariadbDataTemplate template, Path scratch, String password) {
        try {
            Path data = scratch.resolve(ManagedPostgres.DATA);
            DirectoryTrees.copy(template.directory(), data, file -> true);
            Path init = scratch.resolve(INIT);
            Files.createFile(init, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
            Files.writeString(
                    init,
                    "CREATE USER IF NOT EXISTS '" + USER + "'@'127.0.0.1' IDENTIFIED BY '" + password + "';\n"
                            + "GRANT ALL ON *.* TO '" + USER + "'@'127.0.0.1' WITH GRANT OPTION;\n"
                            + "ALTER USER 'root'@'localhost' ACCOUNT LOCK;\n");
        } catch (IOException e) {
            throw new UncheckedIOException("Could not prepare the data directory in " + scratch, e);
        }
    }

    static int freePort() {
        try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new UncheckedIOException("No port is free", e);
        }
    }

    private void launch() {
        Path log = scratch.path().resolve("mariadb.log");
        try {
            var command = new ArrayList<>(List.of(
                    "sh",
                    "-c",
                    WITH_WATCHER,
                    "sh",
                    binaries.server(),
                    "--no-defaults",
                    "--user=" + System.getProperty("user.name"),
                    "--basedir=" + binaries.directory(),
                    "--datadir=" + scratch.path().resolve(ManagedPostgres.DATA),
                    "--tmpdir=" + scratch.path(),
                    "--socket=" + scratch.path().resolve("s"),
                    "--pid-file=" + scratch.path().resolve("mariadb.pid"),
                    "--bind-address=127.0.0.1",
                    "--port=" + port,
                    "--skip-name-resolve",
                    "--max-connections=500",
                    "--innodb-buffer-pool-size=64M",
                    "--innodb-log-file-size=32M",
                    "--innodb-flush-log-at-trx-commit=1",
                    // Its own certificate would be made at each start, which takes seconds.
                    "--skip-ssl"));
            if (binaries.areMysql()) {
                // MariaDB's driver would want TLS for MySQL's own way.
                command.addAll(List.of("--default-authentication-plugin=mysql_native_password", "--mysqlx=OFF"));
            }
            Path init = scratch.path().resolve(INIT);
            if (Files.exists(init)) {
                command.add("--init-file=" + init);
            }
            command.addAll(options);
            var builder = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
            builder.environment().merge("PATH", scratch.path().toString(), (path, ours) -> path + ":" + ours);
            var started = builder.start();
            process = started;
            ConditionWait.until(
                    () -> !started.isAlive() || databases.isReachable(),
                    START_WITHIN,
                    () -> "MariaDB did not become ready within " + START_WITHIN.toSeconds() + " s; see " + log);
            if (!started.isAlive()) {
                throw new TestServerException("MariaDB ended at once:\n" + PostgresProcess.tailOf(log));
            }
        } catch (IOException e) {
            throw new UncheckedIOException("Could not start MariaDB", e);
        }
    }

    @Override
    public String freshDatabase() {
        return databases.fresh();
    }

    /** Returns the URL of a database with this login. */
    String urlOf(String database) {
        return databases.urlOf(database);
    }

    /** Returns the only value of a query that a session without a database asks. */
    String ask(String sql) throws SQLException {
        return databases.ask(sql);
    }

    @Override
    public String urlFor(String database, String user, String password) {
        return databases.urlFor(database, user, password);
    }

    @Override
    public synchronized void killHard() {
        var running = process;
        if (running == null) {
            return;
        }
        process = null;
        running.destroyForcibly();
        ConditionWait.until(
                () -> !running.isAlive(),
                GONE_WITHIN,
                () -> "MariaDB is still there after a SIGKILL: " + running.pid());
        try {
            running.getOutputStream().close();
        } catch (IOException e) {
            // The watcher has gone already.
        }
    }

    /** Shuts the server down and returns when it is gone. */
    synchronized void stop() throws SQLException {
        var running = process;
        ask("SHUTDOWN");
        ConditionWait.until(
                () -> running == null || !running.isAlive(), GONE_WITHIN, () -> "MariaDB does not shut down.");
        killHard();
    }

    @Override
    public synchronized void restart() {
        if (closed) {
            throw new TestServerException("A server that was closed can't be restarted: its directory is gone.");
        }
        killHard();
        launch();
    }

    @Override
    public synchronized void close() {
        if (!closed) {
            closed = true;
            killHard();
            scratch.close();
        }
    }
}
