package dev.refrain.store.jdbc;

import dev.refrain.store.Store;
import dev.refrain.store.jdbc.internal.sqlite.SqliteDataSourceFactory;
import java.nio.file.Path;
import java.util.function.UnaryOperator;

/** Stores in one SQLite file. */
final class SqliteStoreHarness extends JdbcStoreHarness {

    SqliteStoreHarness(Path directory, UnaryOperator<Store> around) {
        super(SqliteDataSourceFactory.at(directory.resolve("refrain.db")), around);
    }

    @Override
    String earlier(String column, long micros) {
        return "CASE WHEN " + column + " = 9223372036854775807 THEN " + column + " ELSE " + column + " - "
                + micros / 1000 + " END";
    }

    @Override
    void clear() {
        // Each test has a file of its own.
    }
}
