package dev.refrain.store.jdbc.internal.sqlite;

import dev.refrain.store.StoreException;
import dev.refrain.store.StoreException.Effect;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.concurrent.locks.LockSupport;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteConnection;
import org.sqlite.SQLiteDataSource;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;

/** Creates plain connections to one SQLite file, with the settings that make a commit durable. */
public final class SqliteDataSourceFactory {

    private static final int WAIT_MILLIS = 5_000;

    private SqliteDataSourceFactory() {}

    public static DataSource at(Path file) {
        try {
            return dataSource(file);
        } catch (NoClassDefFoundError e) {
            throw StoreException.permanent(
                    "The SQLite driver is not on the class path. Add the dependency org.xerial:sqlite-jdbc.",
                    Effect.NONE,
                    e);
        }
    }

    private static DataSource dataSource(Path file) {
        var config = new SQLiteConfig();
        config.setJournalMode(SQLiteConfig.JournalMode.WAL);
        config.setSynchronous(SQLiteConfig.SynchronousMode.FULL);
        config.setBusyTimeout(WAIT_MILLIS);
        var source = new BusyRetryDataSource(config);
        source.setUrl("jdbc:sqlite:" + file.toAbsolutePath());
        return source;
    }

    /**
     * Retries while a new file is switched to WAL. The switch locks the whole file for a moment, and concurrent connections get
     * "busy" at once, whatever the busy timeout, so that processes starting together on a new file would not all start.
     */
    private static final class BusyRetryDataSource extends SQLiteDataSource {

        private static final long PAUSE_NANOS = 5_000_000;

        BusyRetryDataSource(SQLiteConfig config) {
            super(config);
        }

        @Override
        public SQLiteConnection getConnection(@Nullable String user, @Nullable String password) throws SQLException {
            long begun = System.nanoTime();
            while (true) {
                try {
                    return super.getConnection(user, password);
                } catch (SQLiteException busy) {
                    if (busy.getResultCode() != SQLiteErrorCode.SQLITE_BUSY
                            || System.nanoTime() - begun > WAIT_MILLIS * 1_000_000L) {
                        throw busy;
                    }
                    LockSupport.parkNanos(PAUSE_NANOS);
                }
            }
        }
    }
}
