package dev.refrain.servers;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.nio.file.Path;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.sqlite.SQLiteDataSource;

/** A real database, empty at first. */
public interface FlowTestDatabase extends AutoCloseable {

    DataSource source();

    /** A moment of its own clock, in its SQL. */
    String longAgo();

    /** As if all that is stored had been stored for longer than it is kept. */
    default void endRetentions() throws SQLException {
        execute("UPDATE refrain_record SET expires_at = " + longAgo());
    }

    /** As if nobody had renewed what is being run. */
    default void endLeases() throws SQLException {
        execute("UPDATE refrain_record SET lease_until = " + longAgo() + " WHERE state = 1");
    }

    /** As if it had been waited long enough for whoever began what is not at its end. */
    default void makeDue() throws SQLException {
        execute("UPDATE refrain_payload SET due_at = " + longAgo() + " WHERE kind = 2");
    }

    private void execute(String sql) throws SQLException {
        try (var connection = source().getConnection();
                var statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    @Override
    void close();

    static FlowTestDatabase postgres() {
        return pooled(PostgresServer.shared().freshDatabase(), "to_timestamp(0)");
    }

    static FlowTestDatabase mariadb() {
        return pooled(MariadbServer.shared().freshDatabase(), "0");
    }

    /** With a pool, all of whose connections have to be given back. */
    private static FlowTestDatabase pooled(String url, String longAgo) {
        var config = new HikariConfig();
        config.setJdbcUrl(url);
        config.setMaximumPoolSize(20);
        var pool = new HikariDataSource(config);
        return new FlowTestDatabase() {
            @Override
            public DataSource source() {
                return pool;
            }

            @Override
            public String longAgo() {
                return longAgo;
            }

            @Override
            public void close() {
                int active = pool.getHikariPoolMXBean().getActiveConnections();
                pool.close();
                if (active > 0) {
                    throw new TestServerException(active + " connections were not returned to the pool.");
                }
            }
        };
    }

    static FlowTestDatabase sqlite(Path directory) {
        var file = new SQLiteDataSource();
        file.setUrl("jdbc:sqlite:" + directory.resolve("shop.db"));
        file.setEnforceForeignKeys(true);
        return new FlowTestDatabase() {
            @Override
            public DataSource source() {
                return file;
            }

            @Override
            public String longAgo() {
                return "0";
            }

            @Override
            public void close() {
                // The file goes with its directory.
            }
        };
    }
}
