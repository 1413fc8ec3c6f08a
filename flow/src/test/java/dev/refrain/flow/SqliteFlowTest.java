package dev.refrain.flow;

import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

class SqliteFlowTest extends FlowContract {

    @TempDir
    Path directory;

    @Override
    Database database() {
        return Database.sqlite(directory);
    }
}
