package dev.refrain.reconcile;

import dev.refrain.servers.FlowTestDatabase;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

class SqliteReconcilerTest extends ReconcilerContract {

    @TempDir
    Path directory;

    @Override
    FlowTestDatabase database() {
        return FlowTestDatabase.sqlite(directory);
    }
}
