package dev.refrain.store.jdbc;

import dev.refrain.store.StoreException;
import dev.refrain.store.StoreException.Effect;
import dev.refrain.store.jdbc.Lane.Holding;
import java.sql.SQLException;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.function.Function;

/**
 * The lanes of a store: traffic that must not wait for other traffic has a connection of its own. Renewals and reads are
 * short and share one; the workers and operators come seldom, can wait, and take theirs from the pool when they come. On
 * SQLite, where only one can write at a time, all writers share one.
 */
record Lanes(Lane claims, Lane writes, Lane renewals, Lane reads, Lane maintenance) implements AutoCloseable {

    static Lanes of(Dialect dialect, Function<Holding, Lane> lane) {
        var writes = lane.apply(Holding.ALWAYS);
        var reads = lane.apply(Holding.ALWAYS);
        return dialect.hasConcurrentWriters()
                ? new Lanes(lane.apply(Holding.ALWAYS), writes, reads, reads, lane.apply(Holding.WHILE_IN_USE))
                : new Lanes(writes, writes, writes, reads, writes);
    }

    /** For people who look: on a connection on which no traffic waits behind them, as far as there is one. */
    Lane forBrowsing() {
        return maintenance.equals(writes) ? reads : maintenance;
    }

    /** Takes all connections at once, so that a pool too small for them shows at the start and not under load. */
    void open(Failures failures) {
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

    Set<Lane> all() {
        var all = new LinkedHashSet<Lane>();
        all.add(claims);
        all.add(writes);
        all.add(renewals);
        all.add(reads);
        all.add(maintenance);
        return all;
    }

    @Override
    public void close() {
        all().forEach(Lane::close);
    }
}
