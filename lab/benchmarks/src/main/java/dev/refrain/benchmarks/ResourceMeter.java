package dev.refrain.benchmarks;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Reads what a run has used so far: CPU time of this process and of PostgreSQL's, and bytes of write-ahead log. Both depend less on what else
 * runs on the machine than calls per second do.
 *
 * <p>CPU time of a server is known only if its processes are on this machine and Linux tells ({@code /proc}); otherwise it counts as zero.
 */
final class ResourceMeter implements AutoCloseable {

    /** What was used since some point in the past. */
    record ResourceReading(long cpuNanos, long walBytes) {

        ResourceReading since(ResourceReading earlier) {
            return new ResourceReading(cpuNanos - earlier.cpuNanos, walBytes - earlier.walBytes);
        }
    }

    private static final Path PROCESSES = Path.of("/proc");

    private final Connection connection;
    private final Optional<ProcessHandle> server;

    private ResourceMeter(Connection connection, Optional<ProcessHandle> server) {
        this.connection = connection;
        this.server = server;
    }

    static ResourceMeter on(String url) throws SQLException {
        var connection = DriverManager.getConnection(url);
        return new ResourceMeter(connection, serverOf(connection));
    }

    ResourceReading read() throws SQLException {
        return new ResourceReading(
                ownCpuNanos() + server.map(ResourceMeter::cpuNanosOfAll).orElse(0L), walBytes());
    }

    private static long ownCpuNanos() {
        return ManagementFactory.getOperatingSystemMXBean() instanceof com.sun.management.OperatingSystemMXBean os
                ? os.getProcessCpuTime()
                : 0;
    }

    private static long cpuNanosOfAll(ProcessHandle postmaster) {
        return Stream.concat(Stream.of(postmaster), postmaster.children())
                .mapToLong(process -> cpuNanos(process.pid()))
                .sum();
    }

    private static long cpuNanos(long pid) {
        try {
            String times =
                    Files.readString(PROCESSES.resolve(Long.toString(pid)).resolve("schedstat"));
            return Long.parseLong(times.substring(0, times.indexOf(' ')));
        } catch (IOException ended) {
            return 0;
        }
    }

    private long walBytes() throws SQLException {
        try (var statement = connection.createStatement();
                var row = statement.executeQuery("SELECT (pg_current_wal_insert_lsn() - '0/0')::bigint")) {
            row.next();
            return row.getLong(1);
        }
    }

    /** Finds the postmaster of a connection: the parent of its backend, if that runs on this machine. */
    private static Optional<ProcessHandle> serverOf(Connection connection) throws SQLException {
        if (!Files.isDirectory(PROCESSES)) {
            return Optional.empty();
        }
        try (var statement = connection.createStatement();
                var row = statement.executeQuery("SELECT pg_backend_pid()")) {
            row.next();
            return ProcessHandle.of(row.getLong(1))
                    .filter(backend -> isPostgres(backend.pid()))
                    .flatMap(ProcessHandle::parent);
        }
    }

    private static boolean isPostgres(long pid) {
        try {
            return Files.readString(PROCESSES.resolve(Long.toString(pid)).resolve("comm"))
                    .startsWith("postgres");
        } catch (IOException elsewhere) {
            return false;
        }
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }
}
