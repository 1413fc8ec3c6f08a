package dev.refrain.flow.outbox;

import java.nio.file.Path;
import java.time.Duration;
import javax.sql.DataSource;
import org.junit.jupiter.api.io.TempDir;
import org.sqlite.SQLiteDataSource;

class SqliteRelayTest extends RelayContract {

    @TempDir
    Path directory;

    @Override
    DataSource database() {
        return sqlite(directory);
    }

    /** Those who write beside the relay wait for the lock. */
    static DataSource sqlite(Path directory) {
        var source = new SQLiteDataSource();
        source.setUrl(
                "jdbc:sqlite:" + directory.resolve("outbox.db") + "?busy_timeout=5000&transaction_mode=IMMEDIATE");
        return source;
    }

    @Override
    String earlier(String column, Duration time) {
        return column + " - " + time.toMillis();
    }
}
