package dev.refrain.store.jdbc;

import dev.refrain.store.jdbc.internal.sqlite.SqliteDataSourceFactory;
import java.nio.file.Path;
import javax.sql.DataSource;
import org.junit.jupiter.api.io.TempDir;

/** A transactional run on SQLite holds the only write lock: others do not come as far as waiting for its key. */
class SqliteWakeupTest extends WakeupTestBase {

    @TempDir
    Path directory;

    @Override
    DataSource database() {
        return SqliteDataSourceFactory.at(directory.resolve("refrain.db"));
    }
}
