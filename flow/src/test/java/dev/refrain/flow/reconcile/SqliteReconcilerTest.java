package dev.refrain.flow.reconcile;

import dev.refrain.flow.Database;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

class SqliteReconcilerTest extends ReconcilerContract {

    @TempDir
    Path directory;

    @Override
    Database database() {
        return Database.sqlite(directory);
    }
}
