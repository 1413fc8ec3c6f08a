package dev.refrain.spring;

import com.zaxxer.hikari.HikariDataSource;
import java.sql.SQLException;
import java.util.Optional;
import java.util.OptionalInt;
import javax.sql.DataSource;
import org.springframework.util.ClassUtils;

/** Reads HikariCP pools and makes small ones like them. Works without HikariCP on the class path, and then knows no pool. */
final class HikariPools {

    private static final boolean PRESENT =
            ClassUtils.isPresent("com.zaxxer.hikari.HikariDataSource", HikariPools.class.getClassLoader());

    /** Size of a pool that does not set it. */
    private static final int DEFAULT_SIZE = 10;

    private HikariPools() {}

    /** Returns the size of a pool, also inside of a wrapper; empty if it is no HikariCP pool. */
    static OptionalInt sizeOf(DataSource source) {
        return PRESENT ? Reader.sizeOf(source) : OptionalInt.empty();
    }

    /** Returns true if a pool beside this one would connect to the same database in the same way. */
    static boolean canCopy(DataSource source) {
        return PRESENT && Reader.canCopy(source);
    }

    /** Returns true if what the store holds is to be counted: the size is known, and the pool is not of SQLite, where the store holds little. */
    static boolean isCounted(DataSource source) {
        return sizeOf(source).isPresent() && !Reader.urlOf(source).contains(":sqlite:");
    }

    /** Returns true if the database is one on which a store has a connection that listens; also if that is not known. */
    static boolean mayListen(DataSource source) {
        return !PRESENT || !Reader.urlOf(source).matches(".*:(mysql|mariadb):.*");
    }

    /** Makes a pool with the settings of another one. The caller closes it. */
    static HikariPool copy(DataSource source, int size) {
        return Reader.copy(source, size);
    }

    /** A pool that is to be closed. */
    record HikariPool(DataSource source, AutoCloseable closing) {}

    /** Uses HikariCP; loaded only if it is there. */
    private static final class Reader {

        static OptionalInt sizeOf(DataSource source) {
            return find(source)
                    .map(pool ->
                            OptionalInt.of(pool.getMaximumPoolSize() < 1 ? DEFAULT_SIZE : pool.getMaximumPoolSize()))
                    .orElseGet(OptionalInt::empty);
        }

        static String urlOf(DataSource source) {
            return find(source).map(HikariDataSource::getJdbcUrl).orElse("");
        }

        private static Optional<HikariDataSource> find(DataSource source) {
            try {
                if (source instanceof HikariDataSource pool) {
                    return Optional.of(pool);
                }
                if (source.isWrapperFor(HikariDataSource.class)) {
                    return Optional.ofNullable(source.unwrap(HikariDataSource.class));
                }
            } catch (SQLException | RuntimeException e) {
                // A wrapper that cannot say what it wraps: its size is unknown.
            }
            return Optional.empty();
        }

        static boolean canCopy(DataSource source) {
            return source instanceof HikariDataSource && !urlOf(source).contains(":sqlite:");
        }

        static HikariPool copy(DataSource source, int size) {
            // Connects with its first connection, so that a failure is reported where it is needed.
            var pool = new HikariDataSource();
            ((HikariDataSource) source).copyStateTo(pool);
            pool.setPoolName((pool.getPoolName() == null ? "" : pool.getPoolName() + "-") + "refrain");
            pool.setMaximumPoolSize(size);
            pool.setMinimumIdle(0);
            return new HikariPool(pool, pool);
        }
    }
}
