package dev.refrain.benchmarks;

import java.sql.Connection;
import java.sql.SQLException;

/** Tables of the orders flow and the writes of its three phases. The bank answers at once. */
final class OrderTables {

    static final String CREATE = """
            CREATE TABLE IF NOT EXISTS orders (
                id uuid PRIMARY KEY, account text NOT NULL, amount bigint NOT NULL, charge text);
            CREATE TABLE IF NOT EXISTS receipts (order_id uuid PRIMARY KEY, body bytea NOT NULL)""";

    record OrderRequest(String account, long amount) {}

    static final OrderRequest REQUEST = new OrderRequest("DE02120300000000202051", 1299);

    private OrderTables() {}

    static void order(Connection tx, String id) throws SQLException {
        execute(
                tx,
                "INSERT INTO orders (id, account, amount) VALUES (?::uuid, ?, ?)",
                id,
                REQUEST.account(),
                REQUEST.amount());
    }

    static void charged(Connection tx, String id, String charge) throws SQLException {
        execute(tx, "UPDATE orders SET charge = ? WHERE id = ?::uuid", charge, id);
    }

    static void receipt(Connection tx, String id, byte[] body) throws SQLException {
        execute(tx, "INSERT INTO receipts (order_id, body) VALUES (?::uuid, ?)", id, body);
    }

    static void execute(Connection tx, String sql, Object... values) throws SQLException {
        try (var statement = tx.prepareStatement(sql)) {
            for (int i = 0; i < values.length; i++) {
                statement.setObject(i + 1, values[i]);
            }
            statement.executeUpdate();
        }
    }
}
