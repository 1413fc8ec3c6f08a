package dev.refrain.store.jdbc;

import dev.refrain.store.StoreException;
import dev.refrain.store.StoreException.Effect;
import java.nio.file.Path;
import javax.sql.DataSource;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteDataSource;

/** Plain connections to one SQLite file, with the settings that make a commit durable. */
final class SqliteFile {

    private static final int WAIT_MILLIS = 5_000;

    private SqliteFile() {}

    static DataSource at(Path file) {
        try {
            return dataSource(file);
        } catch (NoClassDefFoundError e) {
            throw StoreException.refused(
                    "The SQLite driver is not on the class path: add the dependency org.xerial:sqlite-jdbc.",
                    Effect.NONE,
                    e);
        }
    }

    private static DataSource dataSource(Path file) {
        var config = new SQLiteConfig();
        config.setJournalMode(SQLiteConfig.JournalMode.WAL);
        config.setSynchronous(SQLiteConfig.SynchronousMode.FULL);
        config.setBusyTimeout(WAIT_MILLIS);
        var source = new SQLiteDataSource(config);
        source.setUrl("jdbc:sqlite:" + file.toAbsolutePath());
        return source;
    }
}
