package dev.refrain.store.jdbc;

import java.sql.SQLException;
import javax.sql.DataSource;

/** Plain SQL beside the store. */
record RawSql(DataSource source) {

    void execute(String sql) {
        try (var connection = source.getConnection();
                var statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new AssertionError(sql, e);
        }
    }

    long number(String query) {
        return Long.parseLong(text(query));
    }

    String text(String query) {
        try (var connection = source.getConnection();
                var statement = connection.createStatement();
                var rows = statement.executeQuery(query)) {
            rows.next();
            return rows.getString(1);
        } catch (SQLException e) {
            throw new AssertionError(query, e);
        }
    }
}
