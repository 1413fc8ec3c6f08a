package dev.refrain.flow.saga;

import dev.refrain.flow.Database;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

class SqliteSagaTest extends SagaContract {

    @TempDir
    Path directory;

    @Override
    Database database() {
        return Database.sqlite(directory);
    }
}
