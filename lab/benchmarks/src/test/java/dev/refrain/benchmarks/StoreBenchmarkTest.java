package dev.refrain.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.refrain.servers.RedisServer;
import dev.refrain.store.StoreLocation;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that the comparison runs and says what it measured; its figures are for people. */
class StoreBenchmarkTest {

    private static final long BRIEFLY = 20_000_000L;

    private static String tableOf(StoreLocation location) {
        var out = new StringWriter();
        new StoreBenchmark(location, 2, BRIEFLY).run(new PrintWriter(out));
        return out.toString();
    }

    @Test
    void redisIsComparedWithItsBareDriver() {
        try (var server = RedisServer.start()) {
            String table = tableOf(
                    StoreLocation.of("redis://127.0.0.1:" + server.port()).login("", server.password()));

            assertThat(table.lines()).hasSize(8);
            assertThat(table).startsWith("Redis ");
            assertThat(table.lines().skip(2))
                    .allMatch(line -> line.matches("(claim|complete|replay) +(1|64) +[0-9,]+ +[0-9,]+ +\\d+\\.\\d\\d"));
        }
    }

    @Test
    void storeWithoutBareSideIsMeasuredAlone(@TempDir Path folder) {
        String table = tableOf(StoreLocation.of("jdbc:sqlite:" + folder.resolve("keys.db")));

        assertThat(table).startsWith("SQLite ");
        assertThat(table.lines().skip(2)).allMatch(line -> line.endsWith(" -"));
    }
}
