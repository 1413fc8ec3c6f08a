package dev.refrain.demo;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteDataSource;

/** What the shop writes down, in a SQLite file: orders, and receipts of those that are paid. */
final class ShopDatabase {

    private static final int MILLIS_FOR_OTHERS_TO_COMMIT = 20_000;

    private final SQLiteDataSource database;

    ShopDatabase(Path file) throws SQLException {
        var config = new SQLiteConfig();
        config.setJournalMode(SQLiteConfig.JournalMode.WAL);
        config.setBusyTimeout(MILLIS_FOR_OTHERS_TO_COMMIT);
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

    static void enterOrder(Connection tx, String id, ShopOrder order) throws SQLException {
        try (var insert = tx.prepareStatement("INSERT INTO orders (id, name, amount) VALUES (?, ?, ?)")) {
            insert.setString(1, id);
            insert.setString(2, order.name());
            insert.setLong(3, order.amount());
            insert.executeUpdate();
        }
    }

    static void enterReceipt(Connection tx, ShopReceipt receipt) throws SQLException {
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
