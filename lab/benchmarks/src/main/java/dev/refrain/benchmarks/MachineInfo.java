package dev.refrain.benchmarks;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Machine on which results were measured, without which they mean nothing. */
public record MachineInfo(
        String processor,
        int cores,
        double memoryGib,
        String system,
        String java,
        String postgres,
        String durability,
        double syncMillis) {

    private static final int SYNCS = 200;
    private static final int PAGE = 8_192;

    static MachineInfo of(BenchmarkTestbed lab) throws IOException, SQLException {
        return new MachineInfo(
                processorModel(),
                Runtime.getRuntime().availableProcessors(),
                memory() / (double) (1L << 30),
                System.getProperty("os.name") + " " + System.getProperty("os.version") + " "
                        + System.getProperty("os.arch"),
                System.getProperty("java.vm.name") + " " + System.getProperty("java.vm.version"),
                lab.server().version(),
                durability(lab.server().jdbcUrl()),
                syncMillis(lab.freshFile("sync")));
    }

    @Override
    public String toString() {
        return String.format(
                Locale.ROOT,
                "%s, %d cores, %.0f GiB, %s, %s%nPostgreSQL %s (%s), one fdatasync takes %.2f ms",
                processor,
                cores,
                memoryGib,
                system,
                java,
                postgres,
                durability,
                syncMillis);
    }

    private static long memory() {
        return ManagementFactory.getOperatingSystemMXBean() instanceof com.sun.management.OperatingSystemMXBean os
                ? os.getTotalMemorySize()
                : Runtime.getRuntime().maxMemory();
    }

    private static String processorModel() throws IOException {
        var cpuinfo = Path.of("/proc/cpuinfo");
        if (!Files.isReadable(cpuinfo)) {
            return System.getProperty("os.arch");
        }
        try (var lines = Files.lines(cpuinfo)) {
            return lines.filter(line -> line.startsWith("model name"))
                    .map(line -> line.substring(line.indexOf(':') + 1).strip())
                    .findFirst()
                    .orElse(System.getProperty("os.arch"));
        }
    }

    private static String durability(String url) throws SQLException {
        try (var connection = DriverManager.getConnection(url);
                var statement = connection.createStatement();
                var row =
                        statement.executeQuery("SELECT current_setting('fsync'), current_setting('synchronous_commit'),"
                                + " current_setting('shared_buffers')")) {
            row.next();
            return "fsync %s, synchronous_commit %s, shared_buffers %s"
                    .formatted(row.getString(1), row.getString(2), row.getString(3));
        }
    }

    /** Measures the median time to make one page durable on the disk that holds the benchmarks' files. */
    private static double syncMillis(Path file) throws IOException {
        List<Double> millis = new ArrayList<>();
        try (var channel = FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            var page = ByteBuffer.allocate(PAGE);
            for (int i = 0; i < SYNCS; i++) {
                channel.write(page.rewind(), (long) i % 16 * PAGE);
                long begun = System.nanoTime();
                channel.force(false);
                millis.add((System.nanoTime() - begun) / 1e6);
            }
        }
        return QuartileSpread.of(millis).median();
    }
}
