package dev.refrain.saga;

import dev.refrain.servers.FlowTestDatabase;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

class SqliteSagaTest extends SagaContract {

    @TempDir
    Path directory;

    @Override
    FlowTestDatabase database() {
        return FlowTestDatabase.sqlite(directory);
    }
}
