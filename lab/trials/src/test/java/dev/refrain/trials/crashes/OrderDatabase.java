package dev.refrain.trials.crashes;

import dev.refrain.servers.MariadbServer;
import dev.refrain.store.jdbc.JdbcStore;
import java.sql.DriverManager;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.postgresql.ds.PGSimpleDataSource;
import org.sqlite.SQLiteDataSource;

/** Database of an order, by its URL. */
record OrderDatabase(String url) {

    DataSource source() {
        if (url.startsWith("jdbc:sqlite:")) {
            var file = new SQLiteDataSource();
            file.setUrl(url);
            return file;
        }
        if (url.startsWith("jdbc:mariadb:")) {
            return MariadbServer.dataSource(url);
        }
        var server = new PGSimpleDataSource();
        server.setUrl(url);
        return server;
    }

    /** Creates tables without unique constraints, so that a second effect is seen and not refused. */
    void createTables() throws SQLException {
        try (var connection = DriverManager.getConnection(url);
                var statement = connection.createStatement()) {
            statement.execute("CREATE TABLE orders (id VARCHAR(50), charge VARCHAR(100))");
            statement.execute("CREATE TABLE receipts (id VARCHAR(50), charge VARCHAR(100))");
        }
        JdbcStore.on(source()).close();
    }

    long count(String table, String id) throws SQLException {
        try (var connection = DriverManager.getConnection(url);
                var statement = connection.prepareStatement("SELECT count(*) FROM " + table + " WHERE id = ?")) {
            statement.setString(1, id);
            try (var result = statement.executeQuery()) {
                result.next();
                return result.getLong(1);
            }
        }
    }
}
