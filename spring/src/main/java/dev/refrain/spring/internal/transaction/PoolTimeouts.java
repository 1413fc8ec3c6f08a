package dev.refrain.spring.internal.transaction;

import com.zaxxer.hikari.HikariDataSource;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import javax.sql.DataSource;
import org.springframework.util.ClassUtils;

/**
 * Timeouts of a HikariCP pool: it gives up after both together, whatever the network does.
 *
 * @param connection how long the pool goes on trying
 * @param validation how long it validates one connection
 */
public record PoolTimeouts(Duration connection, Duration validation) {

    private static final boolean PRESENT =
            ClassUtils.isPresent("com.zaxxer.hikari.HikariDataSource", PoolTimeouts.class.getClassLoader());

    /** Returns the timeouts of a pool, also inside of a wrapper; empty if it is no HikariCP pool. */
    public static Optional<PoolTimeouts> of(DataSource source) {
        return PRESENT ? Reader.of(source) : Optional.empty();
    }

    /** Returns the longest time in which the pool gives a connection or fails. */
    public Duration together() {
        return connection.plus(validation);
    }

    /** Uses HikariCP; loaded only if it is there. */
    private static final class Reader {
        static Optional<PoolTimeouts> of(DataSource source) {
            try {
                if (source.isWrapperFor(HikariDataSource.class)) {
                    var pool = source.unwrap(HikariDataSource.class);
                    return Optional.of(new PoolTimeouts(
                            Duration.ofMillis(pool.getConnectionTimeout()),
                            Duration.ofMillis(pool.getValidationTimeout())));
                }
            } catch (SQLException | RuntimeException e) {
                // A wrapper that cannot say what it wraps: its timeouts are unknown.
            }
            return Optional.empty();
        }
    }
}
