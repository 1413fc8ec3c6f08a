package dev.refrain.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.refrain.servers.MariadbServer;
import dev.refrain.servers.PostgresServer;
import dev.refrain.servers.RedisServer;
import dev.refrain.store.StoreLocation;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

/** Tests that the comparison runs and says what it measured; its figures are for people. */
class StoreBenchmarkTest {

    private static final long BRIEFLY = 20_000_000L;

    private static final String ROW = "(claim|complete|replay) +(1|64) +[0-9,]+ +[0-9,]+ +\\d+\\.\\d\\d";

    private static void isCompared(String name, StoreLocation location) {
        var out = new StringWriter();
        new StoreBenchmark(2, BRIEFLY, new PrintWriter(out)).measure(location);

        assertThat(out.toString().lines().skip(2)).hasSize(6).allMatch(line -> line.matches(name + " \\S+ +" + ROW));
    }

    @Test
    void redisIsComparedWithItsBareDriver() {
        try (var server = RedisServer.start()) {
            isCompared(
                    "Redis",
                    StoreLocation.of("redis://127.0.0.1:" + server.port()).login("", server.password()));
        }
    }

    @Test
    void sqliteIsComparedWithItsBareDriver(@TempDir Path folder) {
        isCompared("SQLite", StoreLocation.of("jdbc:sqlite:" + folder.resolve("keys.db")));
    }

    @Test
    void postgresIsComparedWithItsBareDriver() {
        isCompared("PostgreSQL", StoreLocation.of(PostgresServer.shared().freshDatabase()));
    }

    @Test
    @EnabledIf(value = "dev.refrain.servers.MariadbServer#isAvailable", disabledReason = "no MariaDB for this platform")
    void mariadbIsComparedWithItsBareDriver() {
        isCompared("(MariaDB|MySQL)", StoreLocation.of(MariadbServer.shared().freshDatabase()));
    }
}
