package dev.refrain.demo;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteDataSource;

/** SQLite database of the shop: orders, and receipts of paid orders. */
final class ShopDatabase {

    private static final int BUSY_TIMEOUT_MS = 20_000;

    private final SQLiteDataSource database;

    ShopDatabase(Path file) throws SQLException {
        var config = new SQLiteConfig();
        config.setJournalMode(SQLiteConfig.JournalMode.WAL);
        config.setBusyTimeout(BUSY_TIMEOUT_MS);
        database = new SQLiteDataSource(config);
        database.setUrl("jdbc:sqlite:" + file);
        try (var connection = database.getConnection();
                var create = connection.createStatement()) {
            create.execute("CREATE TABLE IF NOT EXISTS orders (id TEXT PRIMARY KEY, name TEXT, amount INTEGER)");
            create.execute("CREATE TABLE IF NOT EXISTS receipt (order_id TEXT, charge TEXT)");
        }
    }

    SQLiteDataSource database() {
        return database;
    }

    static void insertOrder(Connection tx, String id, ShopOrder order) throws SQLException {
        try (var insert = tx.prepareStatement("INSERT INTO orders (id, name, amount) VALUES (?, ?, ?)")) {
            insert.setString(1, id);
            insert.setString(2, order.name());
            insert.setLong(3, order.amount());
            insert.executeUpdate();
        }
    }

    static void insertReceipt(Connection tx, ShopReceipt receipt) throws SQLException {
        try (var insert = tx.prepareStatement("INSERT INTO receipt (order_id, charge) VALUES (?, ?)")) {
            insert.setString(1, receipt.order());
            insert.setString(2, receipt.charge());
            insert.executeUpdate();
        }
    }

    int receiptsFor(String name) throws SQLException {
        try (var connection = database.getConnection();
                var count = connection.prepareStatement(
                        "SELECT count(*) FROM receipt JOIN orders ON orders.id = receipt.order_id WHERE name = ?")) {
            count.setString(1, name);
            try (var rows = count.executeQuery()) {
                rows.next();
                return rows.getInt(1);
            }
        }
    }
}
