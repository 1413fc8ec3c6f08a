package dev.refrain.saga;

import dev.refrain.servers.FlowTestDatabase;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

class SqliteWaitingSagaTest extends WaitingSagaContract {

    @TempDir
    Path directory;

    @Override
    FlowTestDatabase database() {
        return FlowTestDatabase.sqlite(directory);
    }
}
