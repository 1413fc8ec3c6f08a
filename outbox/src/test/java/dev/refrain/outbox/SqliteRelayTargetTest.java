package dev.refrain.outbox;

import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

class SqliteRelayTargetTest extends RelayTargetContract {

    @TempDir
    Path directory;

    @Override
    OutboxTestDatabase database() {
        return OutboxTestDatabase.sqlite(directory);
    }
}
