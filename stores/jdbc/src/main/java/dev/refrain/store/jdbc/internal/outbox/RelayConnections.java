package dev.refrain.store.jdbc.internal.outbox;

import dev.refrain.store.StoreException;
import dev.refrain.store.StoreException.Effect;
import dev.refrain.store.jdbc.internal.connection.PoolShare;
import javax.sql.DataSource;

/**
 * Connections that a relay holds.
 *
 * @param share what the store holds of their source
 * @param count how many a relay holds
 */
public record RelayConnections(PoolShare share, int count) {

    DataSource source() {
        return share.source();
    }

    /**
     * Requires room for a relay, where the size of the pool is known.
     *
     * @throws StoreException if there is none: the relay would start, and it or the application would wait for connections for ever
     */
    void requireRoom() {
        var withRelay = share.with(count);
        if (withRelay.isExhausted()) {
            throw StoreException.permanent(
                    "Cannot start the relay: " + withRelay.inWords()
                            + ". Make the pool larger, or pass a dedicatedDataSource.",
                    Effect.NONE,
                    new IllegalStateException("no connections left"));
        }
    }

    /** Logs a warning if a relay leaves the application so few connections that its callers wait for each other. */
    void warnIfFewAreLeft() {
        share.with(count).warnIfFewAreLeft();
    }
}
