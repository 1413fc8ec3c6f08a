package dev.refrain.store.jdbc;

import dev.refrain.store.jdbc.internal.sqlite.SqliteDataSourceFactory;
import java.nio.file.Path;
import javax.sql.DataSource;
import org.junit.jupiter.api.io.TempDir;

class SqliteOutboxTest extends JdbcOutboxTestBase {

    @TempDir
    Path directory;

    @Override
    DataSource database() {
        return SqliteDataSourceFactory.at(directory.resolve("outbox.db"));
    }
}
