package dev.refrain.store.jdbc;

import dev.refrain.store.contract.StoreHarness;
import java.nio.file.Path;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.io.TempDir;

class SqliteStoreTest extends JdbcStoreContract {

    @TempDir
    Path directory;

    @Override
    protected StoreHarness newHarness() {
        return new SqliteStoreHarness(directory, UnaryOperator.identity());
    }
}
