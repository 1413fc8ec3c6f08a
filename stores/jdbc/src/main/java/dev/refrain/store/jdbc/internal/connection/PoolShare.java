package dev.refrain.store.jdbc.internal.connection;

import java.util.OptionalInt;
import javax.sql.DataSource;

/**
 * Connections of one pool that Refrain holds at most. Immutable.
 *
 * @param held those of the store, with the one that listens while somebody waits for another instance, and with those of a relay
 * @param isApplications whether the application takes its connections from the same pool
 */
public record PoolShare(DataSource source, int held, boolean isApplications) {

    /** A transaction, one that it begins meanwhile (REQUIRES_NEW), and a health check. */
    private static final int LEFT_AT_LEAST = 3;

    private static final System.Logger LOG = System.getLogger(PoolShare.class.getName());

    public PoolShare with(int more) {
        return new PoolShare(source, held + more, isApplications);
    }

    /** Returns how many connections are left; empty if the size of the pool is unknown. */
    private OptionalInt left() {
        var size = PoolSize.of(source);
        return size.isPresent() ? OptionalInt.of(size.getAsInt() - held) : size;
    }

    /** Returns true if Refrain or the application would wait for a connection for ever. */
    public boolean isExhausted() {
        return left().orElse(Integer.MAX_VALUE) < (isApplications ? 1 : 0);
    }

    /** Logs a warning if the application has so few connections that its callers wait for each other. */
    public void warnIfFewAreLeft() {
        if (isApplications && left().orElse(Integer.MAX_VALUE) < LEFT_AT_LEAST) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    inWords()
                            + ": callers will wait for each other. Make the pool larger, or pass a dedicatedDataSource to JdbcStoreBuilder.");
        }
    }

    /** Returns what is held and what is left, for a message about a pool whose size is known. */
    public String inWords() {
        return "Refrain holds up to " + held + " connections, the pool has "
                + PoolSize.of(source).orElse(0) + ", " + Math.max(0, left().orElse(0))
                + " are left for the application";
    }
}
