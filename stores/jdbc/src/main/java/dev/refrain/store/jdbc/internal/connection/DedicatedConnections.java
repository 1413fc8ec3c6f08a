package dev.refrain.store.jdbc.internal.connection;

import dev.refrain.store.StoreException;
import dev.refrain.store.StoreException.Effect;
import dev.refrain.store.jdbc.internal.sql.Dialect;
import dev.refrain.store.jdbc.internal.sql.SqlErrorTranslator;
import java.sql.SQLException;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Dedicated connections of a store: traffic that must not wait for other traffic has its own. Renewals and short reads share one;
 * workers, operators and quotas, which may take long, share another, so that they neither wait for connections that hung handlers hold
 * nor make a heartbeat late. On SQLite, which has one writer at a time, all writers share one.
 */
public record DedicatedConnections(
        DedicatedConnection claims,
        DedicatedConnection writes,
        DedicatedConnection renewals,
        DedicatedConnection reads,
        DedicatedConnection maintenance)
        implements AutoCloseable {

    /**
     * Creates the connections.
     *
     * @param forBatches creates one for batches, which wait for a locked row only briefly
     * @param forMaintenance creates the one of workers and operators
     */
    public static DedicatedConnections of(
            Dialect dialect, Supplier<DedicatedConnection> forBatches, Supplier<DedicatedConnection> forMaintenance) {
        var writes = forBatches.get();
        var reads = forBatches.get();
        return dialect.hasConcurrentWriters()
                ? new DedicatedConnections(forBatches.get(), writes, reads, reads, forMaintenance.get())
                : new DedicatedConnections(writes, writes, writes, reads, writes);
    }

    /** Returns the connection for browsing and counting, on which no other traffic waits if possible. */
    public DedicatedConnection forBrowsing() {
        return maintenance.equals(writes) ? reads : maintenance;
    }

    /** Opens all connections at once, so that a pool that is too small fails at startup and not under load. */
    public void open(SqlErrorTranslator failures) {
        int opened = 0;
        for (var connection : all()) {
            try {
                connection.open();
                opened++;
            } catch (SQLException e) {
                close();
                throw opened > 0 && saidByThePool(e)
                        ? StoreException.permanent(
                                "The DataSource gave " + opened + " of the " + all().size()
                                        + " connections that JdbcStore needs for itself. Make its pool larger by "
                                        + all().size() + ", or pass a dedicatedDataSource of that size.",
                                Effect.NONE,
                                e)
                        : failures.translate("Connecting to the database", e, Effect.NONE);
            }
        }
    }

    /** Returns true for an error of the pool, which has no more connections; errors of a database have a SQLSTATE or code. */
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
