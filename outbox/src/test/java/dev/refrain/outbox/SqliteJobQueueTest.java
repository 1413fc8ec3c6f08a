package dev.refrain.outbox;

import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

class SqliteJobQueueTest extends JobQueueContract {

    @TempDir
    Path directory;

    @Override
    OutboxTestDatabase database() {
        return OutboxTestDatabase.sqlite(directory);
    }
}
