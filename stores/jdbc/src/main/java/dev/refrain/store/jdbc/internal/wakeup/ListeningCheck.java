package dev.refrain.store.jdbc.internal.wakeup;

import dev.refrain.store.jdbc.internal.connection.DedicatedConnection;
import dev.refrain.store.jdbc.internal.connection.PoolSize;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import javax.sql.DataSource;
import org.postgresql.PGConnection;

/**
 * Checks at startup whether a DataSource's connections receive notifications.
 *
 * <p>A pooler between driver and server shows by the server process id: the driver got another one on connecting than the server
 * reports. Only then is a notification sent and awaited: in session mode it arrives, in transaction mode it never does.
 */
public final class ListeningCheck {

    private static final Duration ARRIVES_WITHIN = Duration.ofSeconds(1);

    private ListeningCheck() {}

    /**
     * Returns why no notifications can be received; empty if they can.
     *
     * @param needed connections that the DataSource must have, if its size is known
     */
    public static Optional<String> whyDeaf(DataSource listening, int needed, DedicatedConnection dedicated) {
        var size = PoolSize.of(listening);
        if (size.isPresent() && size.getAsInt() < needed) {
            return Optional.of("its pool of " + size.getAsInt() + " connections has no room for one that listens ("
                    + needed + " are needed)");
        }
        try (var connection =
                DedicatedConnection.borrow(listening, Thread.currentThread().getContextClassLoader())) {
            boolean cameInAutoCommit = connection.getAutoCommit();
            connection.setAutoCommit(true);
            boolean heard = isDirect(connection) || hears(connection, dedicated);
            connection.setAutoCommit(cameInAutoCommit);
            return heard
                    ? Optional.empty()
                    : Optional.of(
                            "a pooler in transaction mode, such as PgBouncer, is in between, through which no notification arrives");
        } catch (SQLException | RuntimeException e) {
            return Optional.of("no connection could be made to listen (" + e.getMessage() + ")");
        }
    }

    private static boolean isDirect(Connection connection) throws SQLException {
        try (var statement = connection.createStatement();
                var row = statement.executeQuery("SELECT pg_backend_pid()")) {
            row.next();
            return row.getInt(1) == connection.unwrap(PGConnection.class).getBackendPID();
        }
    }

    /**
     * Sends a notification and waits for it, on a channel of its own, so that a pooler's connection left listening receives
     * nothing later.
     */
    private static boolean hears(Connection connection, DedicatedConnection dedicated) throws SQLException {
        String channel = "refrain_probe_" + UUID.randomUUID().toString().replace("-", "");
        try (var statement = connection.createStatement()) {
            statement.execute("LISTEN " + channel);
            dedicated.write("Trying a notification", session -> {
                session.execute("NOTIFY " + channel);
                return true;
            });
            var heard = connection.unwrap(PGConnection.class).getNotifications((int) ARRIVES_WITHIN.toMillis());
            statement.execute("UNLISTEN " + channel);
            return heard != null && heard.length > 0;
        }
    }
}
