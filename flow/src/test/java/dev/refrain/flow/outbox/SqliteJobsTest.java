package dev.refrain.flow.outbox;

import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

class SqliteJobsTest extends JobsContract {

    @TempDir
    Path directory;

    @Override
    OutboxDatabase database() {
        return OutboxDatabase.sqlite(directory);
    }
}
