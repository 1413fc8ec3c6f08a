package dev.refrain.store.jdbc.internal.connection;

import dev.refrain.store.StoreException;
import dev.refrain.store.StoreException.Effect;
import dev.refrain.store.jdbc.internal.connection.DedicatedConnection.ConnectionLifetime;
import dev.refrain.store.jdbc.internal.sql.Dialect;
import dev.refrain.store.jdbc.internal.sql.SqlErrorTranslator;
import java.sql.SQLException;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.function.Function;

/**
 * The lanes of a store: traffic that must not wait for other traffic has a connection of its own. Renewals and reads are
 * short and share one; the workers and operators come seldom, can wait, and take theirs from the pool when they come. On
 * SQLite, where only one can write at a time, all writers share one.
 */
public record DedicatedConnections(
        DedicatedConnection claims,
        DedicatedConnection writes,
        DedicatedConnection renewals,
        DedicatedConnection reads,
        DedicatedConnection maintenance)
        implements AutoCloseable {

    public static DedicatedConnections of(Dialect dialect, Function<ConnectionLifetime, DedicatedConnection> lane) {
        var writes = lane.apply(ConnectionLifetime.ALWAYS);
        var reads = lane.apply(ConnectionLifetime.ALWAYS);
        return dialect.hasConcurrentWriters()
                ? new DedicatedConnections(
                        lane.apply(ConnectionLifetime.ALWAYS),
                        writes,
                        reads,
                        reads,
                        lane.apply(ConnectionLifetime.WHILE_IN_USE))
                : new DedicatedConnections(writes, writes, writes, reads, writes);
    }

    /** For people who look: on a connection on which no traffic waits behind them, as far as there is one. */
    public DedicatedConnection forBrowsing() {
        return maintenance.equals(writes) ? reads : maintenance;
    }

    /** Takes all connections at once, so that a pool too small for them shows at the start and not under load. */
    public void open(SqlErrorTranslator failures) {
        int opened = 0;
        for (var lane : all()) {
            try {
                lane.open();
                opened++;
            } catch (SQLException e) {
                close();
                throw opened > 0 && saidByThePool(e)
                        ? StoreException.permanent(
                                "The DataSource gave " + opened + " of the " + all().size()
                                        + " connections that JdbcStore needs for itself: make its pool larger by "
                                        + all().size() + ", or give a laneDataSource of that size.",
                                Effect.NONE,
                                e)
                        : failures.translate("Connecting to the database", e, Effect.NONE);
            }
        }
        maintenance.releaseIfIdle();
    }

    /** A database names its errors by SQLSTATE or code; what has neither comes from the pool, which has no more to give. */
    private static boolean saidByThePool(SQLException error) {
        return error.getSQLState() == null && error.getErrorCode() == 0;
    }

    public Set<DedicatedConnection> all() {
        var all = new LinkedHashSet<DedicatedConnection>();
        all.add(claims);
        all.add(writes);
        all.add(renewals);
        all.add(reads);
        all.add(maintenance);
        return all;
    }

    @Override
    public void close() {
        all().forEach(DedicatedConnection::close);
    }
}
