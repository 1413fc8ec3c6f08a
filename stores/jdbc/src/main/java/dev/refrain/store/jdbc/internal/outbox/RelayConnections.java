package dev.refrain.store.jdbc.internal.outbox;

import dev.refrain.store.StoreException;
import dev.refrain.store.StoreException.Effect;
import dev.refrain.store.jdbc.internal.wakeup.ListeningCheck;
import javax.sql.DataSource;

/**
 * Source of the connections that a relay holds.
 *
 * @param source gives them, and those that the store holds
 * @param needed how many it must have: the store's, the relay's, and one for the application if it shares the source
 */
public record RelayConnections(DataSource source, int needed) {

    /**
     * Requires room for a relay, where the size of the pool is known.
     *
     * @throws StoreException if there is none: the relay would start, and it or the application would wait for connections for ever
     */
    void requireRoom() {
        var size = ListeningCheck.poolSize(source);
        if (size.isPresent() && size.getAsInt() < needed) {
            throw StoreException.permanent(
                    "Cannot start the relay: the pool has " + size.getAsInt() + " connections, and " + needed
                            + " are needed by the store, the relay and the application. Make the pool larger, or pass a"
                            + " dedicatedDataSource.",
                    Effect.NONE,
                    new IllegalStateException("no connections left"));
        }
    }
}
