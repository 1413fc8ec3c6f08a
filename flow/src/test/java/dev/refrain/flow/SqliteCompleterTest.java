package dev.refrain.flow;

import dev.refrain.servers.FlowTestDatabase;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

class SqliteCompleterTest extends CompleterContract {

    @TempDir
    Path directory;

    @Override
    FlowTestDatabase database() {
        return FlowTestDatabase.sqlite(directory);
    }
}
