package dev.refrain.flow.outbox;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.refrain.servers.PostgresServer;
import java.sql.SQLException;
import java.time.Duration;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** An empty database on this run's PostgreSQL, behind a pool that gets back what it gave. */
final class PooledPostgres implements AutoCloseable {

    /** Shared by tests that run one after the other: making one takes longer than a test. */
    private static final String URL = PostgresServer.shared().freshDatabase();

    private @Nullable HikariDataSource pool;

    DataSource emptied() {
        var config = new HikariConfig();
        config.setJdbcUrl(URL);
        config.setMaximumPoolSize(20);
        pool = new HikariDataSource(config);
        try (var connection = pool.getConnection();
                var statement = connection.createStatement()) {
            statement.execute("DROP SCHEMA public CASCADE; CREATE SCHEMA public");
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
        return pool;
    }

    static String earlier(String column, Duration time) {
        return column + " - interval '" + time.toMillis() + " milliseconds'";
    }

    @Override
    public void close() {
        if (pool != null) {
            assertThat(pool.getHikariPoolMXBean().getActiveConnections()).isZero();
            pool.close();
        }
    }
}
