package dev.refrain.store.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.postgresql.PGConnection;

/** All that is notified on one channel, heard on a connection of its own. */
final class HeardNotifications implements AutoCloseable {

    private final Connection connection;
    private final List<String> all = new ArrayList<>();

    HeardNotifications(DataSource source, String channel) throws SQLException {
        connection = source.getConnection();
        try (var statement = connection.createStatement()) {
            statement.execute("LISTEN " + channel);
        }
    }

    void awaitLast(String payload) throws SQLException {
        long deadline = System.nanoTime() + 60_000_000_000L;
        while (!all.contains(payload) && deadline - System.nanoTime() > 0) {
            for (var notification : connection.unwrap(PGConnection.class).getNotifications(1_000)) {
                all.add(notification.getParameter());
            }
        }
    }

    List<String> all() {
        return all;
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }
}
