package dev.refrain.benchmarks;

import dev.refrain.servers.MariadbServer;
import dev.refrain.servers.PostgresServer;
import dev.refrain.servers.RedisServer;
import dev.refrain.store.StoreLocation;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Consumer;

/** The stores whose servers the build brings along, each durable on commit, started one after the other. */
final class BundledStores {

    private BundledStores() {}

    /** Starts each store for as long as it is measured; a MySQL too, where {@code refrain.test.mysql.directory} has one. */
    static void measureEach(Consumer<StoreLocation> measured) {
        try (var server = PostgresServer.start()) {
            measured.accept(StoreLocation.of(server.freshDatabase()));
        }
        if (MariadbServer.isBundled()) {
            try (var server = MariadbServer.startMariadb()) {
                measured.accept(StoreLocation.of(server.freshDatabase()));
            }
        }
        if (MariadbServer.isMysqlNamed()) {
            try (var server = MariadbServer.start()) {
                measured.accept(StoreLocation.of(server.freshDatabase()));
            }
        }
        measureSqlite(measured);
        try (var server = RedisServer.start()) {
            measured.accept(StoreLocation.of(server.url()));
        }
    }

    private static void measureSqlite(Consumer<StoreLocation> measured) {
        try {
            Path folder = Files.createTempDirectory("refrain-bench-");
            try {
                measured.accept(StoreLocation.of("jdbc:sqlite:" + folder.resolve("keys.db")));
            } finally {
                try (var files = Files.list(folder)) {
                    for (Path file : files.toList()) {
                        Files.delete(file);
                    }
                }
                Files.delete(folder);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("No file could be made for SQLite", e);
        }
    }
}
