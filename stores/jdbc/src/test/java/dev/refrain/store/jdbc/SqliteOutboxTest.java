package dev.refrain.store.jdbc;

import dev.refrain.store.jdbc.internal.sqlite.SqliteDataSourceFactory;
import java.nio.file.Path;
import java.time.Duration;
import javax.sql.DataSource;
import org.junit.jupiter.api.io.TempDir;

class SqliteOutboxTest extends OutboxContract {

    @TempDir
    Path directory;

    @Override
    DataSource database() {
        return SqliteDataSourceFactory.at(directory.resolve("outbox.db"));
    }

    @Override
    String earlier(String column, Duration time) {
        return column + " - " + time.toMillis();
    }
}
