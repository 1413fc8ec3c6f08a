package dev.refrain.flow.outbox;

import java.nio.file.Path;
import java.time.Duration;
import javax.sql.DataSource;
import org.junit.jupiter.api.io.TempDir;

class SqliteJobsTest extends JobsContract {

    @TempDir
    Path directory;

    @Override
    DataSource database() {
        return SqliteRelayTest.sqlite(directory);
    }

    @Override
    String earlier(String column, Duration time) {
        return column + " - " + time.toMillis();
    }
}
