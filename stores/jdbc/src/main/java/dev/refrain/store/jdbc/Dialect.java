package dev.refrain.store.jdbc;

import dev.refrain.store.StoreException;
import dev.refrain.store.StoreException.Effect;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** What there is to know about a database. It describes and runs nothing: {@link Session} asks it. */
enum Dialect {
    POSTGRESQL("PostgreSQL", new PostgresFailures()) {
        @Override
        boolean bindsArrays() {
            return true;
        }

        @Override
        boolean claimsInOneStatement() {
            return true;
        }

        @Override
        boolean overNetwork() {
            return true;
        }

        /**
         * Set by each round trip for itself and gone with its end, because nothing that is set for a session survives a
         * PgBouncer in transaction mode. A batch joins an array with a table: while the table is small the planner would
         * rather read all of it, and keep that plan when it is not small any more.
         */
        @Override
        String limits(Timeouts timeouts) {
            return "SELECT set_config('lock_timeout', '" + timeouts.lock().toMillis() + "', true), "
                    + "set_config('statement_timeout', '" + timeouts.statement().toMillis() + "', true), "
                    + "set_config('enable_seqscan', 'off', true), set_config('jit', 'off', true)";
        }

        @Override
        List<String> laneSettings(Timeouts timeouts) {
            return List.of();
        }
    },

    SQLITE("SQLite", new SqliteFailures()) {
        @Override
        boolean bindsArrays() {
            return false;
        }

        @Override
        boolean claimsInOneStatement() {
            return false;
        }

        @Override
        boolean overNetwork() {
            return false;
        }

        @Override
        String limits(Timeouts timeouts) {
            return "";
        }

        /** WAL lets readers and the writer pass each other; FULL makes a commit outlive a power cut. */
        @Override
        List<String> laneSettings(Timeouts timeouts) {
            return List.of(
                    "PRAGMA busy_timeout = " + timeouts.statement().toMillis(),
                    "PRAGMA journal_mode = WAL",
                    "PRAGMA synchronous = FULL");
        }
    };

    private final String product;
    private final Failures failures;

    Dialect(String product, Failures failures) {
        this.product = product;
        this.failures = failures;
    }

    /** Whether one statement takes a whole batch as arrays; else its rows are asked one by one in one transaction. */
    abstract boolean bindsArrays();

    /** Whether a claim that finds everything there writes nothing; else it is worth reading before taking a write lock. */
    abstract boolean claimsInOneStatement();

    /** Whether a reply can stay away for ever. */
    abstract boolean overNetwork();

    /** What a round trip on a lane begins with; empty for nothing. */
    abstract String limits(Timeouts timeouts);

    /** What is set once for each connection of a lane. */
    abstract List<String> laneSettings(Timeouts timeouts);

    Failures failures() {
        return failures;
    }

    /** As the product calls itself in its metadata. */
    String product() {
        return product;
    }

    /** What users and files call it. */
    String folder() {
        return name().toLowerCase(Locale.ROOT);
    }

    String quoted(String identifier) {
        return '"' + identifier.replace("\"", "\"\"") + '"';
    }

    static Dialect of(Connection connection) throws SQLException {
        String product = connection.getMetaData().getDatabaseProductName();
        return Arrays.stream(values())
                .filter(d -> d.product.equals(product))
                .findFirst()
                .orElseThrow(() -> StoreException.refused(
                        "The database calls itself " + product + ", which JdbcStore does not know; it knows " + known()
                                + ".",
                        Effect.NONE,
                        new SQLFeatureNotSupportedException(product)));
    }

    static String known() {
        return Arrays.stream(values()).map(Dialect::folder).collect(Collectors.joining(", "));
    }
}
