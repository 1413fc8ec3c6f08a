package dev.refrain.servers;

import java.sql.SQLException;
import java.util.List;
import javax.sql.DataSource;
import org.mariadb.jdbc.MariaDbDataSource;

/**
 * Real MariaDB, or MySQL where the system property {@code refrain.test.mysql.directory} names one, on the loopback interface, durable on commit.
 *
 * <pre>{@code
 * try (var server = MariadbServer.start()) {
 *     String url = server.freshDatabase();
 *     ...
 *     server.killHard();   // SIGKILL: what was committed is there after the restart
 *     server.restart();    // the same data directory, the same port
 * }
 * }</pre>
 *
 * <p>Thread-safe. The server ends when it is closed, and also when this JVM ends in whatever way, SIGKILL included.
 */
public sealed interface MariadbServer extends KillableServer permits ManagedMariadb, ExternalMariadb {

    /**
     * Starts a server on a free port, with a data directory that is deleted on close.
     *
     * @param options of the server, such as {@code --sysdate-is-now}
     */
    static MariadbServer start(String... options) {
        return ManagedMariadb.launched(MariadbBinaries::unpackedIn, List.of(options));
    }

    /** Starts the MariaDB that the build brings along, also where a MySQL is named. */
    static MariadbServer startMariadb() {
        return ManagedMariadb.launched(MariadbBinaries::mariadb, List.of());
    }

    /** Whether {@link #startMariadb} finds a server. */
    static boolean isBundled() {
        return MariadbBinaries.areBundled();
    }

    /** Whether {@link #start} starts a MySQL. */
    static boolean isMysqlNamed() {
        return MariadbBinaries.mysql();
    }

    /**
     * Returns the server that all tests of this JVM share, started on first use and closed with the JVM. The system property {@code
     * refrain.test.mariadb.url} or the environment variable {@code REFRAIN_TEST_MARIADB_URL} names a server of your own to use instead, a
     * MySQL too: {@code jdbc:mariadb://host:port/?user=…&password=…}, whose user may create databases.
     */
    static MariadbServer shared() {
        return SharedMariadb.INSTANCE;
    }

    /** Whether {@link #shared} finds a server: none is packaged but for Linux on x86-64. */
    static boolean isAvailable() {
        return MariadbBinaries.areThere() || ExternalMariadb.configuredUrl().isPresent();
    }

    /** Returns the URL of a database on this server for another user. */
    String urlFor(String database, String user, String password);

    /** Returns plain connections, without a pool. */
    static DataSource dataSource(String url) {
        try {
            return new MariaDbDataSource(url);
        } catch (SQLException e) {
            throw new TestServerException("Not a URL of MariaDB's driver.", e);
        }
    }
}
