package dev.refrain.servers;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * Real PostgreSQL on the loopback interface, durable on commit ({@code fsync} and {@code synchronous_commit} are on).
 *
 * <pre>{@code
 * try (var server = PostgresServer.start()) {
 *     String url = server.freshDatabase();
 *     ...
 *     server.killHard();   // SIGKILL: what was committed is there after the restart
 *     server.restart();    // the same data directory, the same port
 * }
 * }</pre>
 *
 * <p>Thread-safe. The server ends when it is closed, and also when this JVM ends in whatever way, SIGKILL included.
 */
public sealed interface PostgresServer extends KillableServer permits ManagedPostgres, ExternalPostgres {

    /** Starts a server with default settings on a free port, with a data directory that is deleted on close. */
    static PostgresServer start() {
        return builder().start();
    }

    static Builder builder() {
        return new Builder();
    }

    /**
     * Returns the server that all tests of this JVM share, started on first use and closed with the JVM. The system property {@code
     * refrain.test.postgres.url} or the environment variable {@code REFRAIN_TEST_POSTGRES_URL} names a server of your own to use instead.
     */
    static PostgresServer shared() {
        return SharedPostgres.INSTANCE;
    }

    /** Returns a server of your own, where the URL's user may create databases or at least schemas. They are dropped at the end. */
    static PostgresServer at(String url) {
        return new ExternalPostgres(PostgresUrl.parse(url));
    }

    /** Returns the URL of a database on this server, user and password included. */
    String jdbcUrl();

    /** Returns a data source of plain connections to {@link #jdbcUrl()}, without a pool. */
    default DataSource dataSource() {
        var source = new PGSimpleDataSource();
        source.setUrl(jdbcUrl());
        return source;
    }

    /** Returns the server's version, such as {@code 18.6}. */
    String version();

    /** Returns whether {@link KillableServer#killHard} and {@link KillableServer#restart} work, which they do not on a server of the user's own. */
    boolean canBeKilled();

    /** Builder of a server. Not thread-safe. */
    final class Builder {

        private final Map<String, String> settings = new LinkedHashMap<>();
        private @Nullable Path dataDirectory;
        private UnprivilegedCommand unprivileged = UnprivilegedCommand.detect();

        private Builder() {}

        /** Sets a parameter of postgresql.conf, such as {@code max_connections}. */
        public Builder setting(String name, Object value) {
            if (settings.putIfAbsent(name, value.toString()) != null) {
                throw new IllegalArgumentException("The setting " + name + " is given twice.");
            }
            return this;
        }

        /** Uses this data directory, with the cluster in it if there is one, and keeps it on close. */
        public Builder dataDirectory(Path directory) {
            this.dataDirectory = directory;
            return this;
        }

        Builder unprivileged(UnprivilegedCommand how) {
            this.unprivileged = how;
            return this;
        }

        /** Starts it and returns when it accepts connections. */
        public PostgresServer start() {
            return ManagedPostgres.start(Map.copyOf(settings), dataDirectory, unprivileged);
        }
    }
}
