package dev.refrain.crash;

import dev.refrain.servers.PostgresServer;
import dev.refrain.store.jdbc.JdbcStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.UUID;
import javax.sql.DataSource;
import org.postgresql.ds.PGSimpleDataSource;
import org.sqlite.SQLiteDataSource;

/**
 * A shop with a bank of its own. Each trial has a key of its own instead of a database of its own, which costs less. Nothing in the tables is
 * unique, so that a second effect is seen and not refused.
 */
abstract class ShopTrial implements InProcessTrial {

    final FakeBank bank = new FakeBank();
    final DataSource database;

    final String key = UUID.randomUUID().toString();

    ShopTrial(DataSource database) {
        this.database = database;
    }

    static DataSource postgres() throws SQLException {
        var source = new PGSimpleDataSource();
        source.setUrl(PostgresServer.shared().freshDatabase());
        return withTables(source);
    }

    static DataSource sqlite(Path file) throws SQLException {
        return withTables(opened(file));
    }

    /** Where all share one write lock, trials beside each other have files of their own. */
    static DataSource copied(Path file) throws IOException {
        return opened(Files.copy(file, file.resolveSibling(UUID.randomUUID() + ".db")));
    }

    private static DataSource opened(Path file) {
        var source = new SQLiteDataSource();
        source.setUrl("jdbc:sqlite:" + file);
        return source;
    }

    private static DataSource withTables(DataSource database) throws SQLException {
        try (var connection = database.getConnection();
                var statement = connection.createStatement()) {
            statement.execute("CREATE TABLE orders (id VARCHAR(50), charge VARCHAR(50))");
            statement.execute("CREATE TABLE receipts (id VARCHAR(50))");
        }
        JdbcStore.on(database).close();
        return database;
    }

    static void execute(Connection connection, String sql, String... values) throws SQLException {
        try (var statement = connection.prepareStatement(sql)) {
            for (int i = 0; i < values.length; i++) {
                statement.setString(i + 1, values[i]);
            }
            statement.executeUpdate();
        }
    }

    long count(String table) throws SQLException {
        return count(database, table);
    }

    /** How often this trial's key is in the table. */
    final long count(DataSource source, String table) throws SQLException {
        try (var connection = source.getConnection();
                var statement = connection.prepareStatement("SELECT count(*) FROM " + table + " WHERE id = ?")) {
            statement.setString(1, key);
            try (var result = statement.executeQuery()) {
                result.next();
                return result.getLong(1);
            }
        }
    }
}
