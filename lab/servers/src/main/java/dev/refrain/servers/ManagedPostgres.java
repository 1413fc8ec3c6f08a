package dev.refrain.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** PostgreSQL of our own: binaries from the class path, a data directory, a port, a process. */
final class ManagedPostgres implements PostgresServer {

    static final String DATA = "data";

    private static final String HOST = "127.0.0.1";
    private static final String USER = "postgres";
    private static final String PASSWORD_FILE = "refrain.password";
    private static final int PORT_ATTEMPTS = 5;

    private final ScratchDirectory scratch;
    private final Path dataDirectory;
    private final PostgresBinaries binaries;
    private final UnprivilegedCommand unprivileged;
    private final Map<String, String> settings;
    private final PostgresUrl url;
    private final ScratchDatabases databases;
    private @Nullable PostgresProcess process;
    private boolean closed;

    private ManagedPostgres(
            ScratchDirectory scratch,
            Path dataDirectory,
            PostgresBinaries binaries,
            UnprivilegedCommand unprivileged,
            Map<String, String> settings,
            int port) {
        this.scratch = scratch;
        this.dataDirectory = dataDirectory;
        this.binaries = binaries;
        this.unprivileged = unprivileged;
        this.settings = withDefaults(settings, port);
        this.url = new PostgresUrl(
                "jdbc:postgresql://" + HOST + ":" + port,
                USER,
                "user=" + USER + "&password=" + readPassword(dataDirectory));
        this.databases = new ScratchDatabases(url);
    }

    /** Source of the content of a data directory. */
    @FunctionalInterface
    interface Origin {

        /** @param data empty, and the present user's alone */
        void fill(Path data, PostgresBinaries binaries, UnprivilegedCommand unprivileged, Path scratch)
                throws IOException;
    }

    static ManagedPostgres start(Map<String, String> settings, @Nullable Path given, UnprivilegedCommand unprivileged) {
        return start(settings, given, unprivileged, ManagedPostgres::initialise);
    }

    static ManagedPostgres start(
            Map<String, String> settings, @Nullable Path given, UnprivilegedCommand unprivileged, Origin origin) {
        Path base = ScratchDirectory.base();
        PostgresBinaries binaries = PostgresBinaries.unpackedIn(base);
        ScratchDirectory scratch = ScratchDirectory.create(base);
        try {
            Path data = (given == null ? scratch.path().resolve(DATA) : given).toAbsolutePath();
            if (!Files.exists(data.resolve("PG_VERSION"))) {
                fill(data, binaries, unprivileged, scratch.path(), origin);
            }
            return startOnFreePort(scratch, data, binaries, unprivileged, settings);
        } catch (RuntimeException e) {
            scratch.close();
            throw e;
        }
    }

    /** Starts the server, trying other ports if the chosen one is taken meanwhile. */
    private static ManagedPostgres startOnFreePort(
            ScratchDirectory scratch,
            Path data,
            PostgresBinaries binaries,
            UnprivilegedCommand unprivileged,
            Map<String, String> settings) {
        for (int attempt = 1; ; attempt++) {
            int port = freePort(0);
            var server = new ManagedPostgres(scratch, data, binaries, unprivileged, settings, port);
            try {
                server.launch();
                return server;
            } catch (TestServerException e) {
                if (attempt == PORT_ATTEMPTS || isFree(port)) {
                    throw e;
                }
            }
        }
    }

    private static void fill(
            Path data, PostgresBinaries binaries, UnprivilegedCommand unprivileged, Path scratch, Origin origin) {
        try {
            Files.createDirectories(data);
            Files.setPosixFilePermissions(data, PosixFilePermissions.fromString("rwx------"));
            origin.fill(data, binaries, unprivileged, scratch);
        } catch (IOException e) {
            throw new UncheckedIOException("Could not prepare the data directory " + data, e);
        }
    }

    private static void initialise(Path data, PostgresBinaries binaries, UnprivilegedCommand unprivileged, Path scratch)
            throws IOException {
        // Other users of this machine can reach the port: without a password they would be superusers here.
        Path password = scratch.resolve(PASSWORD_FILE);
        Files.createFile(password, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        Files.writeString(password, UUID.randomUUID().toString());
        if (unprivileged.owner().isPresent()) {
            String owner = unprivileged.owner().get();
            DirectoryTrees.giveTo(data, owner);
            DirectoryTrees.giveTo(password, owner);
        }
        PostgresProcess.run(
                unprivileged.command(List.of(
                        binaries.program("initdb"),
                        "--pgdata=" + data,
                        "--username=" + USER,
                        "--encoding=UTF8",
                        "--no-locale",
                        "--auth=scram-sha-256",
                        "--pwfile=" + password,
                        // A power cut during initdb only costs the start; what runs later syncs as usual.
                        "--no-sync")),
                scratch.resolve("initdb.log"));
        Files.move(password, data.resolve(PASSWORD_FILE));
    }

    private static String readPassword(Path dataDirectory) {
        try {
            return Files.readString(dataDirectory.resolve(PASSWORD_FILE));
        } catch (IOException e) {
            throw new TestServerException(
                    dataDirectory + " holds a database cluster that wasn't made here: it has no " + PASSWORD_FILE, e);
        }
    }

    private static Map<String, String> withDefaults(Map<String, String> chosen, int port) {
        var all = new LinkedHashMap<String, String>();
        all.put("listen_addresses", HOST);
        all.put("port", Integer.toString(port));
        // A socket file's path may be no longer than 107 bytes: temporary folders often are.
        all.put("unix_socket_directories", "");
        all.put("fsync", "on");
        all.put("synchronous_commit", "on");
        all.putAll(chosen);
        return all;
    }

    private static int freePort(int wanted) {
        try (var socket = new ServerSocket(wanted, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new UncheckedIOException("No port is free", e);
        }
    }

    private static boolean isFree(int port) {
        try {
            return freePort(port) == port;
        } catch (UncheckedIOException e) {
            return false;
        }
    }

    private void launch() {
        process = PostgresProcess.start(
                binaries, unprivileged, dataDirectory, settings, scratch.path().resolve("postgres.log"));
    }

    Path dataDirectory() {
        return dataDirectory;
    }

    PostgresUrl url() {
        return url;
    }

    /** Returns the libpq connection string by which a standby finds this server. */
    String connectionString() {
        return "host=" + HOST + " port=" + settings.get("port") + " user=" + USER + " password="
                + readPassword(dataDirectory);
    }

    @Override
    public String jdbcUrl() {
        return url.text();
    }

    @Override
    public String freshDatabase() {
        return databases.fresh().text();
    }

    @Override
    public String version() {
        return databases.version();
    }

    @Override
    public boolean canBeKilled() {
        return true;
    }

    @Override
    public synchronized void killHard() {
        if (process != null) {
            process.kill();
            process = null;
        }
    }

    @Override
    public synchronized void restart() {
        if (closed) {
            throw new TestServerException("A server that was closed can't be restarted: its directory may be gone.");
        }
        if (process != null) {
            process.stop();
        }
        launch();
    }

    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        closed = true;
        if (process != null) {
            process.stop();
            process = null;
        }
        scratch.close();
    }
}
