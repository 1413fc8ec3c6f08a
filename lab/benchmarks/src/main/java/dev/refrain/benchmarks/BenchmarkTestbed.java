package dev.refrain.benchmarks;

import dev.refrain.servers.PostgresServer;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Comparator;
import java.util.Optional;
import java.util.UUID;

/** PostgreSQL server, folder and scale of a run of the benchmarks. */
final class BenchmarkTestbed implements AutoCloseable {

    private static final String INSUFFICIENT_PRIVILEGE = "42501";
    private static final long MOST_BUFFERS_MB = 2_048;

    private final PostgresServer server;
    private final Path folder;
    private final BenchmarkScale scale;
    private final ResourceMeter resources;

    private BenchmarkTestbed(PostgresServer server, Path folder, BenchmarkScale scale) throws SQLException {
        this.server = server;
        this.folder = folder;
        this.scale = scale;
        this.resources = ResourceMeter.on(server.jdbcUrl());
    }

    /** @param url a server of the user's own, instead of one that is started for this */
    static BenchmarkTestbed open(Optional<String> url, BenchmarkScale scale) throws IOException, SQLException {
        var server = url.map(PostgresServer::at).orElseGet(BenchmarkTestbed::start);
        return new BenchmarkTestbed(server, Files.createTempDirectory("refrain-bench-"), scale);
    }

    /**
     * Starts a server that is set up as in production, the same for all sides. Checkpoints are spread over minutes, so that they fall on
     * both sides of every pair.
     */
    private static PostgresServer start() {
        return PostgresServer.builder()
                .setting("shared_buffers", Math.min(MOST_BUFFERS_MB, memoryMb() / 4) + "MB")
                .setting("max_wal_size", "8GB")
                .setting("min_wal_size", "1GB")
                .setting("checkpoint_timeout", "5min")
                .setting("checkpoint_completion_target", "0.9")
                .setting("max_connections", "200")
                .start();
    }

    private static long memoryMb() {
        return ManagementFactory.getOperatingSystemMXBean() instanceof com.sun.management.OperatingSystemMXBean os
                ? os.getTotalMemorySize() >> 20
                : 1_024;
    }

    BenchmarkScale scale() {
        return scale;
    }

    PostgresServer server() {
        return server;
    }

    InterleavedMeasurement pairs(CaseProgressListener meter) {
        return new InterleavedMeasurement(scale, resources, meter);
    }

    String freshDatabase() {
        return server.freshDatabase();
    }

    Path freshFile(String name) {
        return folder.resolve(UUID.randomUUID() + "-" + name);
    }

    /** Vacuums and analyzes after a bulk load, as autovacuum would have done over time. */
    void settle(String url) throws SQLException {
        try (var connection = DriverManager.getConnection(url);
                var statement = connection.createStatement()) {
            statement.execute("VACUUM (ANALYZE)");
            statement.execute("CHECKPOINT");
        } catch (SQLException e) {
            if (!INSUFFICIENT_PRIVILEGE.equals(e.getSQLState())) {
                throw e;
            }
        }
    }

    @Override
    public void close() throws IOException, SQLException {
        resources.close();
        try (var left = Files.walk(folder)) {
            for (var path : left.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        } finally {
            server.close();
        }
    }
}
