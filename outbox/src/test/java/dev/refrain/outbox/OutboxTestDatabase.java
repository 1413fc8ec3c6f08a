package dev.refrain.outbox;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.refrain.servers.MariadbServer;
import dev.refrain.servers.PostgresServer;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import javax.sql.DataSource;
import org.sqlite.SQLiteDataSource;

/** A real database for an outbox, empty at first. */
interface OutboxTestDatabase extends AutoCloseable {

    DataSource source();

    /** An expression that is a stored time, some time earlier. */
    String earlier(String column, Duration time);

    @Override
    void close();

    static OutboxTestDatabase postgres() {
        return PooledDatabase.emptiedPostgres();
    }

    static OutboxTestDatabase mariadb() {
        var config = new HikariConfig();
        config.setJdbcUrl(MariadbServer.shared().freshDatabase());
        config.setMaximumPoolSize(20);
        return new PooledDatabase(
                new HikariDataSource(config),
                (column, time) -> column + " - " + TimeUnit.MILLISECONDS.toMicros(time.toMillis()));
    }

    /** Those who write beside the relay wait for the lock. */
    static OutboxTestDatabase sqlite(Path directory) {
        var source = new SQLiteDataSource();
        source.setUrl(
                "jdbc:sqlite:" + directory.resolve("outbox.db") + "?busy_timeout=5000&transaction_mode=IMMEDIATE");
        return new SqliteFileDatabase(source);
    }

    record SqliteFileDatabase(DataSource source) implements OutboxTestDatabase {

        @Override
        public String earlier(String column, Duration time) {
            return column + " - " + time.toMillis();
        }

        @Override
        public void close() {
            // The file goes with its directory.
        }
    }

    /** A server's database behind a pool that gets back what it gave. */
    record PooledDatabase(HikariDataSource source, BiFunction<String, Duration, String> subtraction)
            implements OutboxTestDatabase {

        /** PostgreSQL's, shared by tests that run one after the other: making one takes longer than a test. */
        private static final String URL = PostgresServer.shared().freshDatabase();

        private static PooledDatabase emptiedPostgres() {
            var config = new HikariConfig();
            config.setJdbcUrl(URL);
            config.setMaximumPoolSize(20);
            var pool = new HikariDataSource(config);
            try (var connection = pool.getConnection();
                    var statement = connection.createStatement()) {
                statement.execute("DROP SCHEMA public CASCADE; CREATE SCHEMA public");
            } catch (SQLException e) {
                throw new AssertionError(e);
            }
            return new PooledDatabase(
                    pool, (column, time) -> column + " - interval '" + time.toMillis() + " milliseconds'");
        }

        @Override
        public String earlier(String column, Duration time) {
            return subtraction.apply(column, time);
        }

        @Override
        public void close() {
            assertThat(source.getHikariPoolMXBean().getActiveConnections()).isZero();
            source.close();
        }
    }
}
