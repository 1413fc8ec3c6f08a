package dev.refrain.flow.outbox;

import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

class SqliteSendingTest extends SendingContract {

    @TempDir
    Path directory;

    @Override
    OutboxDatabase database() {
        return OutboxDatabase.sqlite(directory);
    }
}
